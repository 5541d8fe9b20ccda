// Destinations: made, changed, paused, resumed and deleted by an admin.

import { api, expect, hydrated, test } from "./acuse.ts";

test("a destination from its beginning to its end", async ({ page, problems, request }) => {
  await page.goto("/destinations");
  await hydrated(page);
  await page.getByRole("link", { name: "New destination" }).click();
  await page.getByLabel("Name").fill("made-here");
  await page.getByLabel("URL").fill("not a url");
  await page.getByRole("button", { name: "Create destination" }).click();
  await expect(page.getByRole("alert")).not.toBeEmpty();
  // The browser itself writes of the status into the console.
  expect(problems.splice(0).every((problem) => problem.includes("422"))).toBe(true);
  await page.getByLabel("URL").fill("http://127.0.0.1:9/hooks");
  await page.getByLabel("Event types").fill("never.*");
  await page.getByRole("button", { name: "Create destination" }).click();
  await expect(page.locator("main")).toContainText(/whsec_/);
  const row = page.locator("tr", { hasText: "made-here" });
  await expect(row).toContainText("Active");

  await row.getByRole("link", { name: /^Pause/ }).click();
  await expect(page.locator("main")).toContainText("0 pending deliveries are held");
  await page.getByRole("button", { name: "Pause made-here" }).click();
  await expect(row).toContainText("Paused");
  expect((await api(request, "GET", "/destinations/made-here")).paused_at).not.toBeNull();

  await row.getByRole("link", { name: /^Resume/ }).click();
  await page.getByRole("button", { name: "Resume made-here" }).click();
  await expect(row).toContainText("Active");

  await row.getByRole("link", { name: /^Edit/ }).click();
  await page.getByLabel("Concurrent attempts").fill("3");
  await page.getByLabel("Order of signatures").selectOption({ label: "newest secret last" });
  await page.getByRole("button", { name: "Save changes" }).click();
  await expect(page.getByRole("button", { name: "Save changes" })).toBeHidden();
  const changed = await api(request, "GET", "/destinations/made-here");
  expect([changed.max_in_flight, changed.signature_order]).toEqual([3, "oldest_first"]);
  await expect(row).toContainText("signed as paymos, newest secret last");

  await row.getByRole("link", { name: /^Delete/ }).click();
  await expect(page.locator("main")).toContainText("This cannot be undone");
  await page.getByLabel("Type made-here to delete it").fill("made-her");
  await page.getByRole("button", { name: "Delete made-here" }).click();
  await expect(page.getByRole("alert")).toContainText("The name does not match: nothing was deleted.");
  expect(problems.splice(0).every((problem) => problem.includes("422"))).toBe(true);
  await expect(row).toHaveCount(1);
  await page.getByLabel("Type made-here to delete it").fill("made-here");
  await page.getByRole("button", { name: "Delete made-here" }).click();
  await expect(row).toHaveCount(0);
});
