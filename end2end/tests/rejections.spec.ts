// What was refused, and what somebody should know: read, verified again, acknowledged, released.

import { createHmac } from "node:crypto";
import { type APIRequestContext } from "@playwright/test";
import { api, expect, hydrated, isSound, test } from "./acuse.ts";

/** A source of its own, so that no test sees another one's. */
async function source(request: APIRequestContext, slug: string, mode = "test") {
  const data = { slug, provider: "paymos", mode, secret: `whsec_first_of_${slug}`, tolerance_s: 300 };
  await api(request, "POST", "/sources", data);
}

function signature(secret: string, body: string): string {
  const time = Math.floor(Date.now() / 1000);
  return `t=${time},v1=${createHmac("sha256", secret).update(`${time}.${body}`).digest("hex")}`;
}

async function post(request: APIRequestContext, slug: string, secret: string, body: object): Promise<number> {
  const data = JSON.stringify(body);
  const headers = { "content-type": "application/json", "x-webhook-signature": signature(secret, data) };
  return (await request.post(`/webhooks/${slug}`, { headers, data: Buffer.from(data) })).status();
}

/** The number of the only rejection of a source. */
async function rejection(request: APIRequestContext, slug: string): Promise<number> {
  let id = 0;
  await expect
    .poll(async () => (id = (await api(request, "GET", `/rejections?source=${slug}`)).items[0]?.id ?? 0))
    .toBeGreaterThan(0);
  return id;
}

test("a rejection says its cause and is stored once the secret is right @phone", async ({ page, request }, info) => {
  const slug = `fixed-${info.project.name}`;
  await source(request, slug);
  const event = { event_id: `evt_${slug}`, event_type: "invoice.paid", data: { invoice_id: "inv_1", status: "paid" } };
  expect(await post(request, slug, `whsec_second_of_${slug}`, event)).toBe(401);
  const id = await rejection(request, slug);
  await page.goto(`/rejections?source=${slug}`);
  await hydrated(page);
  await isSound(page);
  await page.getByRole("link", { name: "No secret matches" }).click();
  await expect(page).toHaveURL(new RegExp(`/rejections/${id}$`));
  await expect(page.getByRole("heading", { level: 1 })).toContainText(`Rejection ${id}`);
  await expect(page.locator("#answer")).toContainText("None matches this signature, in any encoding");
  await isSound(page);
  await api(request, "POST", `/sources/${slug}/secrets`, { secret: `whsec_second_of_${slug}` });
  await page.reload();
  await hydrated(page);
  await expect(page.locator("#answer")).toContainText("It is valid with the current secrets");
  await page.getByRole("button", { name: "Verify again" }).click();
  await expect(page.getByRole("status").filter({ hasText: "stored as a new event" })).toBeVisible();
  await expect(page.locator(".stamp")).toContainText("Stored");
  await page.getByRole("link", { name: /^Event \d+$/ }).click();
  await expect(page.locator("main")).toContainText(`evt_${slug}`);
});

test("all rejections of a source are verified again after a question", async ({ page, request }) => {
  await source(request, "all-at-once");
  for (const n of [1, 2, 3]) {
    expect(await post(request, "all-at-once", "whsec_the_right_one", { event_id: `evt_${n}`, event_type: "a.b" })).toBe(401);
  }
  await expect.poll(async () => (await api(request, "GET", "/rejections?source=all-at-once")).items.length).toBe(3);
  await api(request, "POST", "/sources/all-at-once/secrets", { secret: "whsec_the_right_one" });
  await page.goto("/rejections");
  await hydrated(page);
  await page.getByRole("button", { name: "Verify all… all-at-once" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog).toContainText("current secrets");
  await isSound(page);
  await dialog.getByRole("button", { name: "Verify all now" }).click();
  await expect(page.getByRole("status").filter({ hasText: "3 new events, 0 duplicates, 0 still rejected" })).toBeVisible();
});

test("an event that contradicts its source waits, is told, and is released", async ({ page, request }) => {
  await source(request, "only-live", "live");
  const data = { invoice_id: "inv_9", status: "paid", is_test: true };
  const event = { event_id: "evt_mixed_up", event_type: "invoice.paid", data };
  expect(await post(request, "only-live", "whsec_first_of_only-live", event)).toBe(200);
  await page.goto("/alerts");
  await hydrated(page);
  await isSound(page);
  await expect(page.getByRole("navigation", { name: "Main" })).toContainText(/\d open/);
  const row = page.getByRole("row").filter({ hasText: "only-live" });
  await expect(row).toContainText("test and live are mixed up");
  await row.getByRole("button", { name: "Acknowledge the alert about only-live" }).click();
  await expect(row).toContainText("Acknowledged");
  await row.getByRole("link", { name: /test and live are mixed up/ }).click();
  await expect(page).toHaveURL(/\/events\?source=only-live&held=true/);
  await page.getByRole("link", { name: "invoice.paid" }).click();
  await page.getByRole("button", { name: "Release…" }).click();
  const dialog = page.getByRole("dialog");
  await isSound(page);
  await dialog.getByLabel(/Reason/).fill("a test of the live endpoint");
  await dialog.getByRole("button", { name: "Release now" }).click();
  await expect(page.getByText(/Released .* by /)).toBeVisible();
  const alerts = (await api(request, "GET", "/alerts?kind=mode_mismatch")).items;
  expect(alerts.find((alert: { subject: string }) => alert.subject === "only-live").state).toBe("resolved");
});

test("the keys lead to rejections and alerts", async ({ page }) => {
  await page.goto("/deliveries");
  await hydrated(page);
  await page.keyboard.press("g");
  await page.keyboard.press("j");
  await expect(page).toHaveURL(/\/rejections$/);
  await page.keyboard.press("g");
  await page.keyboard.press("a");
  await expect(page).toHaveURL(/\/alerts$/);
});
