// The code of most pages comes when they are opened.

import { expect, hydrated, test } from "./acuse";

test("the first page brings its own code, and the others theirs", async ({ page }) => {
  const loaded: string[] = [];
  page.on("request", (request) => {
    const name = /\/assets\/(\w+)\.[0-9a-f]{10}\.wasm$/.exec(request.url())?.[1];
    if (name) loaded.push(name);
  });
  await page.goto("/deliveries");
  await hydrated(page);
  expect(loaded.filter((name) => name !== "app")).toEqual([]);
  await page.getByRole("link", { name: "Secrets" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Secrets" })).toBeVisible();
  expect(loaded).toContain("split_desk");
  expect(loaded).not.toContain("split_stories");
});

test("a page whose code does not come says so, and comes at the next try", async ({ page, problems }) => {
  await page.goto("/deliveries");
  await hydrated(page);
  await page.route("**/split_desk.*", (route) => route.abort());
  await page.getByRole("link", { name: "Secrets" }).click();
  const told = page.getByRole("alert").filter({ hasText: "The page could not be loaded" });
  await expect(told).toBeVisible();
  await page.unroute("**/split_desk.*");
  await told.getByRole("link", { name: "Try again" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Secrets" })).toBeVisible();
  await hydrated(page);
  // The browser and the glue write down that the file did not come.
  expect(problems.splice(0).length).toBeGreaterThan(0);
});
