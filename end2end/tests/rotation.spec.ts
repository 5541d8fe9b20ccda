// A rotation as support staff do it on an ordinary Tuesday: paste, watch, put off, test, undo.

import { createHmac } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type APIRequestContext, type Page } from "@playwright/test";
import { api, expect, hydrated, isSound, test } from "./acuse.ts";

/** The secrets of a source: its own, for no two may have the same. */
const old = (slug: string) => `whsec_theOldOne_${slug}_0123456789`;
const fresh = (slug: string) => `whsec_theNewOne_${slug}_9876543210`;

/** A source with an old secret that has verified so many webhooks. */
async function source(request: APIRequestContext, slug: string, webhooks: number) {
  await api(request, "POST", "/sources", { slug, provider: "paymos", mode: "test", secret: old(slug) });
  for (let n = 0; n < webhooks; n++) await webhook(request, slug, old(slug));
}

/** A webhook as Paymos sends it. */
async function webhook(request: APIRequestContext, slug: string, secret: string) {
  const id = crypto.randomUUID();
  const now = Math.floor(Date.now() / 1000);
  const event = { event_id: `evt_${id}`, event_type: "invoice.paid", version: 1, occurred_at: now };
  const data = JSON.stringify({ ...event, data: { invoice_id: `inv_${id}`, status: "paid" } });
  const signature = createHmac("sha256", secret).update(`${now}.${data}`).digest("hex");
  const headers = { "content-type": "application/json", "x-webhook-signature": `t=${now},v1=${signature}` };
  const answer = await request.post(`/webhooks/${slug}`, { headers, data });
  expect(answer.status()).toBe(200);
}

/** The count on the page lags behind by a second at most. */
async function counted(request: APIRequestContext, slug: string, times: number[]) {
  const matches = async () => (await secrets(request, `sources/${slug}`)).map((one: { matches: number }) => one.matches);
  await expect.poll(matches).toEqual(times);
}

const secrets = async (request: APIRequestContext, of: string) => (await api(request, "GET", `/${of}/secrets`)).secrets;
const panel = (page: Page, slug: string) =>
  page.getByRole("region", { name: slug, exact: true });

test("a source's new secret is pasted, watched, and the rotation undone @phone", async ({ page, request, problems }, info) => {
  const slug = `tuesday-${info.project.name}`;
  await source(request, slug, 3);
  await counted(request, slug, [3]);
  await page.goto("/secrets");
  await hydrated(page);
  await page.getByRole("button", { name: `Rotate the secret of ${slug}` }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.locator(".steps li")).toHaveCount(3);
  await isSound(page);
  await dialog.getByLabel("New secret from Paymos").fill(`${fresh(slug)} `);
  await dialog.getByRole("button", { name: "Rotate", exact: true }).click();
  await expect(dialog.getByRole("alert")).toContainText(/space/);
  // The browser itself writes of the refusal into the console.
  const refused = "Failed to load resource: the server responded with a status of 422 (Unprocessable Entity)";
  await expect.poll(() => problems.splice(0)).toEqual([refused]);
  await dialog.getByLabel("New secret from Paymos").fill(fresh(slug));
  await dialog.getByLabel(/Reason/).fill("the yearly rotation");
  await dialog.getByRole("button", { name: "Rotate", exact: true }).click();
  await expect(dialog).toBeHidden();
  const ring = panel(page, slug);
  await expect(ring).toContainText("No webhook is signed with the new secret yet");
  await expect(ring.locator("details .steps")).toBeVisible();
  await isSound(page);

  await webhook(request, slug, fresh(slug));
  await counted(request, slug, [1, 3]);
  await page.reload();
  await hydrated(page);
  await expect(ring).toContainText("Both secrets are in use");
  await expect(ring.locator("svg.chart rect[data-tone=accent]")).not.toHaveCount(0);

  const [newest, before] = await secrets(request, `sources/${slug}`);
  await ring.getByRole("button", { name: `Extend… ${before.fingerprint}` }).click();
  await dialog.getByLabel("3 d").check();
  await dialog.getByRole("button", { name: "Extend", exact: true }).click();
  await expect(dialog).toBeHidden();
  const [, later] = await secrets(request, `sources/${slug}`);
  expect(Date.parse(later.expires_at) - Date.parse(before.expires_at)).toBe(3 * 86_400_000);

  await ring.getByRole("button", { name: `Retire the secret ${before.fingerprint}` }).click();
  await expect(dialog).toContainText(`${before.fingerprint} verified 3 webhooks in the last hour`);
  await isSound(page);
  await dialog.getByRole("button", { name: "Cancel" }).click();

  await ring.getByRole("button", { name: `Undo the rotation of ${slug}` }).click();
  await expect(dialog).toContainText(`${newest.fingerprint} verified 1 webhook in the last hour`);
  await dialog.getByRole("button", { name: "Undo the rotation", exact: true }).click();
  await expect(dialog).toBeHidden();
  const left = await secrets(request, `sources/${slug}`);
  expect(left.map((one: { id: string; expires_at: unknown }) => [one.id, one.expires_at])).toEqual([[before.id, null]]);
  const { items } = await api(request, "GET", `/audit?subject=source/${slug}`);
  const actions = items.map((one: { action: string }) => one.action);
  expect(actions.slice(0, 3)).toEqual(["secret.undone", "secret.extended", "secret.rotated"]);
  expect(items[2].reason).toBe("the yearly rotation");
});

test("a destination's server says what it makes of two signatures", async ({ page, request }) => {
  await api(request, "POST", "/destinations", {
    slug: "unread",
    url: "http://127.0.0.1:9/",
    format: "paymos",
    events: ["nothing.yet"],
  });
  await api(request, "POST", "/destinations/unread/secrets", {});
  await page.goto("/secrets");
  await hydrated(page);
  const ring = panel(page, "unread");
  await expect(ring).toContainText("unread has not been tested with two signatures yet");
  await ring.getByRole("button", { name: "Run the test" }).click();
  await expect(ring).toContainText("The server accepted none of the signatures");
  await expect(ring.locator(".finding")).not.toHaveCount(0);
  await isSound(page);
});

test("a server that reads the list of signatures is ready, and its old secret goes", async ({ page, request }) => {
  const has: string[] = [];
  const server = createServer((incoming, answer) => {
    const chunks: Buffer[] = [];
    incoming.on("data", (chunk) => chunks.push(chunk));
    incoming.on("end", () => {
      const parts = String(incoming.headers["x-webhook-signature"]).split(",").map((part) => part.split("="));
      const time = parts.find(([label]) => label === "t")?.[1];
      const given = parts.filter(([label]) => label === "v1").map(([, hex]) => hex);
      const signed = Buffer.concat([Buffer.from(`${time}.`), ...chunks]);
      const right = has.some((secret) => given.includes(createHmac("sha256", secret).update(signed).digest("hex")));
      answer.writeHead(right ? 200 : 401).end();
    });
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const { port } = server.address() as AddressInfo;
  const settings = { slug: "reader", url: `http://127.0.0.1:${port}/`, format: "paymos", events: ["nothing.yet"] };
  const { secret: old } = await api(request, "POST", "/destinations", settings);
  const { secret: fresh } = await api(request, "POST", "/destinations/reader/secrets", {});
  await page.goto("/secrets");
  await hydrated(page);
  const ring = panel(page, "reader");
  has.push(old);
  await ring.getByRole("button", { name: "Run the test" }).click();
  await expect(ring).toContainText("The server has only the old secret");
  has.push(fresh);
  await ring.getByRole("button", { name: "Test again" }).click();
  await expect(ring).toContainText("You can retire the old secret");
  await expect(ring).toContainText("The server accepts the new secret alone, and both signatures together.");
  await isSound(page);
  const [, before] = await secrets(request, "destinations/reader");
  await ring.getByRole("button", { name: `Retire the secret ${before.fingerprint}` }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog).not.toContainText("Run the test first");
  await dialog.getByRole("button", { name: `Retire ${before.fingerprint}` }).click();
  await expect(dialog).toBeHidden();
  expect(await secrets(request, "destinations/reader")).toHaveLength(1);
  server.close();
});

test("the audit shows who did it, and that nothing was changed @phone", async ({ page, request }) => {
  await api(request, "GET", "/audit/verify");
  await page.goto("/audit?action=token.created");
  await hydrated(page);
  await expect(page.locator("main")).toContainText("Chain verified");
  await expect(page.locator("tbody tr").first()).toContainText(/Created the token/);
  await isSound(page);
});
