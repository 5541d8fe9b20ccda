// The vendors' SDKs for Node, one call a process: `sdk.mjs sign|verify NAME`, on standard input
// {secret, id, timestamp, body (base64), headers}; prints the headers that were signed, or "ok".
import { createHmac } from 'node:crypto';
import { Paddle } from '@paddle/paddle-node-sdk';
import Stripe from 'stripe';
import { Webhook } from 'svix';

const stripe = new Stripe('sk_test_unused');
const paddle = new Paddle('unused');

const sign = {
  stripe: ({ secret, timestamp, text }) => ({
    'Stripe-Signature': stripe.webhooks.generateTestHeaderString({ payload: text, secret, timestamp }),
  }),
  // The SDK cannot sign: by the rule of the vendor's page.
  paddle: ({ secret, timestamp, body }) => {
    const mac = createHmac('sha256', secret).update(`${timestamp}:`).update(body).digest('hex');
    return { 'Paddle-Signature': `ts=${timestamp};h1=${mac}` };
  },
  svix: ({ secret, id, timestamp, text }) => ({
    'svix-id': id,
    'svix-timestamp': String(timestamp),
    'svix-signature': new Webhook(secret).sign(id, new Date(timestamp * 1000), text),
  }),
};

// Paddle's SDK allows 5 s, and starting Node may take longer on a busy machine: its clock is the one of the signature.
function setClock(seconds) {
  const RealDate = Date;
  globalThis.Date = class extends RealDate {
    constructor(...given) {
      super(...(given.length > 0 ? given : [seconds * 1000]));
    }
  };
}

const verify = {
  stripe: ({ secret, headers, body }) => stripe.webhooks.constructEvent(body, headers['stripe-signature'], secret),
  paddle: async ({ secret, headers, text }) => {
    setClock(Number(/ts=(\d+)/.exec(headers['paddle-signature'])[1]));
    const valid = await paddle.webhooks.isSignatureValid(text, secret, headers['paddle-signature']);
    if (!valid) throw new Error('the signature is not valid');
  },
  svix: ({ secret, headers, text }) => new Webhook(secret).verify(text, headers),
};

const chunks = [];
for await (const chunk of process.stdin) chunks.push(chunk);
const input = JSON.parse(Buffer.concat(chunks).toString());
const body = Buffer.from(input.body, 'base64');
const given = { ...input, body, text: body.toString() };
const [, , what, name] = process.argv;
try {
  console.log(what === 'sign' ? JSON.stringify(await sign[name](given)) : ((await verify[name](given)), 'ok'));
} catch (error) {
  console.error(String(error?.message ?? error).split('\n')[0]);
  process.exitCode = 1;
}
