// The list and one delivery, as support staff use them.

import { anyDelivered, api, deliveryThatWaits, expect, hydrated, test } from "./acuse.ts";

test("filters stand in the URL, and the URL filters", async ({ page, request }) => {
  await deliveryThatWaits(request);
  await page.goto("/deliveries?destination=closed");
  await hydrated(page);
  const destinations = page.locator("tbody tr td:nth-child(4)");
  await expect(destinations.first()).toContainText("closed");
  for (const text of await destinations.allInnerTexts()) expect(text).toContain("closed");

  await page.goto("/deliveries");
  await hydrated(page);
  await page.getByLabel("Destination").selectOption("closed");
  await page.getByRole("button", { name: "Apply" }).click();
  await expect(page).toHaveURL(/destination=closed/);
  await expect(destinations.first()).toContainText("closed");
  for (const text of await destinations.allInnerTexts()) expect(text).toContain("closed");
});

test("a filter that is no filter is named and ignored", async ({ page }) => {
  await page.goto("/deliveries?state=bogus");
  await hydrated(page);
  await expect(page.locator("main")).toContainText("bogus");
  await expect(page.locator("tbody tr").first()).toBeVisible();
});

test("the countdown to the next attempt runs", async ({ page, request }) => {
  const delivery = await deliveryThatWaits(request);
  await page.goto(`/deliveries/${delivery.id}`);
  await hydrated(page);
  const countdown = page.locator(".countdown");
  await expect(countdown).toContainText(/\d/);
  const before = await countdown.innerText();
  await expect.poll(() => countdown.innerText(), { timeout: 5_000 }).not.toBe(before);
});

test("the ladder has its eleven rungs, and a list of them for those who do not see", async ({ page, request }) => {
  const delivery = await deliveryThatWaits(request);
  await page.goto(`/deliveries/${delivery.id}`);
  await hydrated(page);
  await expect(page.locator(".rungs > li:not(.manual)")).toHaveCount(11);
  await expect(page.locator(".ladder .drawn")).toBeVisible();
});

test("a delivery is resent with a reason @phone", async ({ page, request }, info) => {
  const id = await anyDelivered(request);
  const reason = `the shop asks for it again (${info.project.name})`;
  await page.goto(`/deliveries/${id}`);
  await hydrated(page);
  await page.getByRole("button", { name: "Resend…" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog).toBeVisible();
  await dialog.getByLabel(/Reason/).fill(reason);
  await dialog.getByRole("button", { name: "Resend now" }).click();
  await expect(dialog).toBeHidden();
  await expect(page.locator(".inspector")).toContainText(reason, { timeout: 15_000 });
  const { attempt_log, state, attempts } = await api(request, "GET", `/deliveries/${id}`);
  const manual = attempt_log.filter((attempt: { reason: string | null }) => attempt.reason === reason);
  expect(manual).toHaveLength(1);
  expect(manual[0].trigger).toBe("manual");
  expect([state, attempts]).toEqual(["delivered", 1]);
});

test("a resend without a reason is not sent", async ({ page, request }) => {
  const id = await anyDelivered(request);
  await page.goto(`/deliveries/${id}`);
  await hydrated(page);
  await page.getByRole("button", { name: "Resend…" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Resend now" }).click();
  await expect(page.getByRole("dialog")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toBeHidden();
});

test("the keyboard reaches search, rows and the list of keys", async ({ page, request }) => {
  await anyDelivered(request);
  await page.goto("/deliveries");
  await hydrated(page);
  await page.keyboard.press("/");
  await expect(page.getByRole("searchbox").first()).toBeFocused();
  await page.keyboard.press("Escape");
  await page.locator("h1").click();
  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/deliveries\/\d+/);
});

test("older pages follow by their cursor and never repeat a row", async ({ page, request }) => {
  await expect
    .poll(async () => (await api(request, "GET", "/deliveries?limit=21")).items.length, { timeout: 60_000 })
    .toBe(21);
  await page.goto("/deliveries?limit=20");
  await hydrated(page);
  const numbers = page.locator("tbody td > small.id");
  await expect(numbers).toHaveCount(20);
  const first = await numbers.allInnerTexts();
  await page.getByRole("link", { name: "Older" }).click();
  await expect(page).toHaveURL(/cursor=/);
  await expect.poll(async () => (await numbers.allInnerTexts())[0]).not.toBe(first[0]);
  const second = await numbers.allInnerTexts();
  expect(second.filter((number) => first.includes(number))).toEqual([]);
});
