// With JavaScript off: a rejection is examined and verified again, an alert acknowledged, an event released.

import { expect, test } from "@playwright/test";
import { api, logIn } from "./acuse.ts";
import { createHmac } from "node:crypto";

const sign = (secret: string, body: string) => {
  const time = Math.floor(Date.now() / 1000);
  return `t=${time},v1=${createHmac("sha256", secret).update(`${time}.${body}`).digest("hex")}`;
};

test("verifies again, acknowledges and releases", async ({ page, request }) => {
  const slug = "without-script";
  await api(request, "POST", "/sources", { slug, provider: "paymos", mode: "live", secret: "whsec_first_no_js" });
  const body = '{"event_id":"evt_no_js","event_type":"invoice.paid","data":{"invoice_id":"inv_1","is_test":true}}';
  const headers = { "x-webhook-signature": sign("whsec_second_no_js", body) };
  expect((await request.post(`/webhooks/${slug}`, { headers, data: Buffer.from(body) })).status()).toBe(401);
  const list = async () => (await api(request, "GET", `/rejections?source=${slug}`)).items;
  await expect.poll(async () => (await list()).length).toBe(1);
  await api(request, "POST", `/sources/${slug}/secrets`, { secret: "whsec_second_no_js" });

  await logIn(page);
  await page.goto(`/rejections?verify=all&of=${slug}`);
  await expect(page.getByRole("heading", { name: `Verify 1 rejections of ${slug} again?` })).toBeVisible();
  await page.goto(`/rejections/${(await list())[0].id}`);
  await page.getByRole("button", { name: "Verify again" }).click();
  await expect(page.locator(".stamp")).toContainText("Stored");

  await page.goto("/alerts?state=open");
  await page.getByRole("button", { name: `Acknowledge the alert about ${slug}` }).click();
  await expect(page.getByRole("row").filter({ hasText: slug })).toContainText("Acknowledged");

  await page.goto(`/events?source=${slug}&held=true`);
  await page.locator("tbody th a").first().click();
  await page.getByRole("button", { name: "Release…" }).click();
  await page.getByLabel(/Reason/).filter({ visible: true }).fill("agreed with the shop");
  await page.getByRole("button", { name: "Release now" }).filter({ visible: true }).click();
  await expect(page.getByText(/Released .* by /)).toBeVisible();
});
