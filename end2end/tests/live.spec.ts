// Pages renew themselves, and never under somebody's hands.

import { anyDelivered, expect, hydrated, test } from "./acuse.ts";

test("what is newer is announced, and shown when asked for", async ({ page, request }) => {
  test.setTimeout(90_000);
  await anyDelivered(request);
  await page.goto("/deliveries");
  await hydrated(page);
  const first = page.locator("tbody tr").first().locator("th a");
  const before = await first.getAttribute("href");
  const newer = page.getByRole("link", { name: /newer: show$/ });
  await expect(newer).toBeVisible({ timeout: 60_000 });
  expect(await first.getAttribute("href"), "nothing moved").toBe(before);
  await newer.click();
  await expect(first).not.toHaveAttribute("href", before ?? "");
  await expect(newer).toBeHidden();
});

test("the line says how old the page is, and that somebody is busy", async ({ page, request }) => {
  await anyDelivered(request);
  await page.goto("/deliveries");
  await hydrated(page);
  await expect(page.locator(".live")).toContainText(/Updated (now|\d+ s ago)/);
  await page.getByLabel("Event type").focus();
  await expect(page.locator(".live")).toContainText("paused while you are busy here");
  await page.getByLabel("Event type").blur();
  await expect(page.locator(".live")).not.toContainText("paused");
});
