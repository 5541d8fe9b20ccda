// Sources: made, set up, changed and deleted by an admin.

import { api, expect, hydrated, isSound, test } from "./acuse.ts";

test("a source from its beginning to its end", { tag: "@phone" }, async ({ page, problems, request }, { project }) => {
  const slug = `made-${project.name}`;
  await page.goto("/sources");
  await hydrated(page);
  await isSound(page);
  await page.getByRole("link", { name: "New source" }).click();
  await expect(page.getByRole("heading", { name: "New source" })).toBeVisible();
  await isSound(page);
  await page.getByLabel("Name").fill(slug);
  await page.getByLabel("Sender").selectOption({ label: "Shopify" });
  await page.getByText("test", { exact: true }).click();
  const secret = page.getByLabel("Signing secret");
  await secret.fill(" hush hush hush");
  await page.getByRole("button", { name: "Create source" }).click();
  await expect(page.getByText("There is white space around it: paste it again.").first()).toBeVisible();
  await expect(secret).toHaveAttribute("aria-invalid", "true");
  // The browser itself writes of the status into the console.
  expect(problems.splice(0).every((problem) => problem.includes("422"))).toBe(true);
  // What was typed is kept, however long somebody looks elsewhere.
  await page.getByRole("heading", { level: 1 }).click();
  await page.waitForTimeout(2500);
  await expect(page.getByLabel("Name")).toHaveValue(slug);
  await secret.fill("hush hush hush");
  await page.getByRole("button", { name: "Create source" }).click();

  const setup = page.getByRole("region", { name: `Set up the sender of ${slug}` });
  await expect(setup).toContainText(`/webhooks/${slug}`);
  await expect(setup.getByRole("listitem")).toHaveCount(3);
  await isSound(page);
  const made = await api(request, "GET", `/sources/${slug}`);
  expect([made.mode, made.tolerance_s, made.hmac]).toEqual(["test", 300, { preset: "shopify" }]);
  await setup.getByRole("link", { name: "Close" }).click();
  const row = page.locator("tr", { hasText: slug });
  await expect(row).toContainText("Shopify");
  await expect(row.getByRole("button", { name: /^Copy/ })).toBeVisible();

  await row.getByRole("link", { name: /^Edit/ }).click();
  await page.getByLabel("Clock tolerance, seconds").fill("60");
  await page.getByRole("button", { name: "Save changes" }).click();
  await expect(page.getByRole("button", { name: "Save changes" })).toBeHidden();
  expect((await api(request, "GET", `/sources/${slug}`)).tolerance_s).toBe(60);

  await row.getByRole("link", { name: /^Delete/ }).click();
  await expect(page.locator("main")).toContainText("stay visible");
  await page.getByLabel(`Type ${slug} to delete it`).fill(slug);
  await page.getByRole("button", { name: `Delete ${slug}` }).click();
  await expect(row).toHaveCount(0);
});

test("the sandbox's source says what it took, and renews itself", async ({ page }) => {
  await page.goto("/sources");
  await hydrated(page);
  const taken = page.locator("tr", { hasText: "paymos-sandbox" }).locator("td.num").first();
  await expect(taken).not.toHaveText("0", { timeout: 30_000 });
  const before = Number((await taken.innerText()).replace(/\D/g, ""));
  await expect
    .poll(async () => Number((await taken.innerText()).replace(/\D/g, "")), { timeout: 60_000 })
    .toBeGreaterThan(before);
  await taken.getByRole("link").click();
  await expect(page).toHaveURL(/\/events\?source=paymos-sandbox&from=/);
});
