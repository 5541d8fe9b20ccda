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

test("nothing is read while somebody selects rows or types, and what was typed stays", async ({ page, request }) => {
  await anyDelivered(request);
  await page.goto("/deliveries");
  await hydrated(page);
  let reads = 0;
  page.on("request", (sent) => {
    if (sent.url().endsWith("/rpc/deliveries/page")) reads += 1;
  });
  await expect.poll(() => reads, { timeout: 20_000, message: "it renews by itself" }).toBeGreaterThan(0);
  const still = async (line: string) => {
    await expect(page.locator(".live")).toContainText(line);
    reads = 0;
    await page.waitForTimeout(5000);
    expect(reads, line).toBe(0);
  };
  await page.getByLabel("Event type").pressSequentially("invoice.pa");
  await still("paused while you work here");
  await expect(page.getByLabel("Event type")).toHaveValue("invoice.pa");
  await page.getByLabel("Event type").fill("");
  await page.getByLabel("Event type").blur();
  await page.locator(".pick").first().check();
  await still("paused while rows are selected");
  await page.getByRole("button", { name: "Clear" }).click();
  await expect.poll(() => reads, { timeout: 20_000, message: "it goes on" }).toBeGreaterThan(0);
});

test("the line says how old the page is, and that somebody is busy", async ({ page, request }) => {
  await anyDelivered(request);
  await page.goto("/deliveries");
  await hydrated(page);
  await expect(page.locator(".live")).toContainText(/Updated (now|\d+ s ago)/);
  await page.getByLabel("Event type").focus();
  await expect(page.locator(".live")).toContainText("paused while you work here");
  await page.getByLabel("Event type").blur();
  await expect(page.locator(".live")).not.toContainText("paused");
});
