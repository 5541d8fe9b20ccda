// With JavaScript off: all that match are resent, a destination is paused and resumed.

import { expect, test } from "@playwright/test";
import { anyDelivered, api, logIn } from "./acuse.ts";

test("resends all that match", async ({ page, request }) => {
  await anyDelivered(request);
  await logIn(page);
  await page.goto("/deliveries?destination=shop&state=delivered");
  await page.getByRole("link", { name: "Resend all that match…" }).first().click();
  await page.getByLabel(/Reason/).fill("all of them, without script");
  await page.getByRole("button", { name: /^Resend .* now$/ }).click();
  await expect(page).toHaveURL(/\/resends\/\d+$/);
  await expect(page.locator(".lede")).toContainText("all of them, without script");
  const id = new URL(page.url()).pathname.split("/").pop();
  await expect.poll(async () => (await api(request, "GET", `/resends/${id}`)).state, { timeout: 60_000 }).toBe("done");
  // What was read for anybody within the last two seconds may be shown again.
  await expect(async () => {
    await page.reload();
    await expect(page.locator("h1")).toContainText("Done", { timeout: 500 });
  }).toPass({ timeout: 10_000 });
});

test("resends the rows that are picked", async ({ page, request }) => {
  await anyDelivered(request);
  await logIn(page);
  await page.goto("/deliveries?destination=shop&state=delivered");
  await page.locator(".pick").first().check();
  await page.getByRole("button", { name: "Resend selected…" }).click();
  await expect(page).toHaveURL(/\/resends\/new\?id=\d+$/);
  await expect(page.locator("main")).toContainText("1 delivery will be resent");
});

test("pauses and resumes a destination", async ({ page, request }) => {
  const data = { slug: "plain", url: "http://127.0.0.1:9/", format: "paymos", events: ["never.*"] };
  await api(request, "POST", "/destinations", data);
  await logIn(page);
  await page.goto("/destinations");
  await page.getByRole("link", { name: "Pause… plain" }).click();
  await page.getByRole("button", { name: "Pause plain" }).click();
  await expect(page.locator("tr", { hasText: "plain" })).toContainText("Paused");
  await page.getByRole("link", { name: "Resume… plain" }).click();
  await page.getByRole("button", { name: "Resume plain" }).click();
  await expect(page.locator("tr", { hasText: "plain" })).not.toContainText("Paused");
});
