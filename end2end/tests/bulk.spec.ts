// Many at once: picked rows, everything that matches, and how far it is.

import { type APIRequestContext } from "@playwright/test";
import { anyDelivered, api, expect, hydrated, test } from "./acuse.ts";

/** A destination that refuses, and so many deliveries to it that have failed for good. */
async function failed(request: APIRequestContext, slug: string, count: number) {
  await api(request, "POST", "/destinations", { slug, url: "http://127.0.0.1:9/", format: "paymos", ladder: ["1s"] });
  const path = `/deliveries?destination=${slug}&state=failed`;
  await expect
    .poll(async () => (await api(request, "GET", path)).items.length, { timeout: 90_000, message: "they fail" })
    .toBeGreaterThanOrEqual(count);
  await api(request, "POST", `/destinations/${slug}/pause`);
}

test("everything that failed for a destination is resent with three clicks", async ({ page, request }) => {
  test.setTimeout(150_000);
  await failed(request, "bulk-all", 3);
  const { items } = await api(request, "GET", "/deliveries?destination=bulk-all&state=failed");
  await page.goto("/destinations");
  await hydrated(page);
  const row = page.locator("tr", { hasText: "bulk-all" });
  await row.getByRole("link", { name: /^\d+$/ }).last().click();
  await expect(page).toHaveURL(/destination=bulk-all&state=failed|state=failed&destination=bulk-all/);
  await page.getByRole("link", { name: "Resend all that match…" }).first().click();
  await expect(page.getByRole("heading", { level: 2 }).first()).toContainText(`${items.length} deliver`);
  await expect(page.locator("main")).toContainText("By destination");
  await page.getByLabel(/Reason/).fill("the shop is back");
  await page.getByRole("button", { name: `Resend ${items.length} now` }).click();
  await expect(page).toHaveURL(/\/resends\/\d+$/);
  await expect(page.locator("h1")).toContainText("Done", { timeout: 30_000 });
  await expect(page.locator("main")).toContainText(`${items.length} of ${items.length} done`);
  const { attempt_log } = await api(request, "GET", `/deliveries/${items[0].id}`);
  const manual = attempt_log.filter((attempt: { trigger: string }) => attempt.trigger === "manual");
  expect(manual).toHaveLength(1);
  expect(manual[0]).toMatchObject({ actor: "demo@acuse.example", reason: "the shop is back" });
});

test("picked rows are counted, hold the page still, and are resent @phone", async ({ page, request }) => {
  await anyDelivered(request);
  await page.goto("/deliveries?destination=shop&state=delivered");
  await hydrated(page);
  await page.locator(".pick").nth(0).check();
  await page.locator(".pick").nth(1).check();
  await expect(page.locator(".bulk output")).toHaveText("2 selected");
  await expect(page.locator(".live")).toContainText("paused while rows are selected");
  await page.getByRole("button", { name: "Clear" }).click();
  await expect(page.locator(".pick:checked")).toHaveCount(0);
  await expect(page.locator(".live")).not.toContainText("paused");
  await page.locator(".pick").nth(0).check();
  await page.getByRole("button", { name: "Resend selected…" }).click();
  await expect(page).toHaveURL(/\/resends\/new\?id=\d+$/);
  await expect(page.getByRole("heading", { level: 2 }).first()).toHaveText("1 delivery will be resent");
});

test("a range is picked with Shift, by pointer and by keyboard", async ({ page, request }) => {
  const many = async () => (await api(request, "GET", "/deliveries?destination=shop&limit=6")).items.length;
  await expect.poll(many, { timeout: 60_000, message: "there are some" }).toBeGreaterThanOrEqual(6);
  await page.goto("/deliveries?destination=shop");
  await hydrated(page);
  const said = page.locator(".bulk output");
  const pick = (n: number) => page.locator(".pick").nth(n);
  await pick(1).click();
  await pick(4).click({ modifiers: ["Shift"] });
  await expect(said).toHaveText("4 selected");
  for (const n of [1, 2, 3, 4]) await expect(pick(n)).toBeChecked();
  await expect(pick(0)).not.toBeChecked();
  await expect(pick(5)).not.toBeChecked();
  await pick(3).click({ modifiers: ["Shift"] });
  await expect(said, "and back: what the last one becomes, all become").toHaveText("2 selected");
  await page.getByRole("button", { name: "Clear" }).click();
  await pick(0).blur();
  await page.keyboard.press("j");
  await page.keyboard.press("x");
  await expect(said).toHaveText("1 selected");
  await page.keyboard.press("j");
  await page.keyboard.press("j");
  await page.keyboard.press("Shift+X");
  await expect(said).toHaveText("3 selected");
  for (const n of [0, 1, 2]) await expect(pick(n)).toBeChecked();
});

test("a resend of many is cancelled", async ({ page, request }) => {
  await anyDelivered(request);
  const data = { filter: { state: "delivered", destination: "shop" }, reason: "too slow on purpose", rate_per_s: 0.1 };
  const { id } = await api(request, "POST", "/resends", data);
  await page.goto(`/resends/${id}`);
  await hydrated(page);
  await page.getByRole("button", { name: "Cancel the rest" }).click();
  await expect(page.locator("h1")).toContainText("Cancelled", { timeout: 10_000 });
  expect((await api(request, "GET", `/resends/${id}`)).state).toBe("cancelled");
});
