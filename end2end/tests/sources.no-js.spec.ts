// The same with JavaScript off.

import { expect, test } from "@playwright/test";
import { api, logIn } from "./acuse.ts";

test("makes, changes and deletes a source", async ({ page, request }) => {
  const slug = "plain-made";
  await logIn(page);
  await page.goto("/sources");
  await page.getByRole("link", { name: "New source" }).click();
  await page.getByLabel("Name").fill(slug);
  await page.getByLabel("Sender").selectOption("stripe");
  await page.getByLabel("Signing secret").fill("sk_live_notAWebhookSecret");
  await page.getByRole("button", { name: "Create source" }).click();
  await expect(page.locator("main")).toContainText("This is an API key");
  await expect(page.getByLabel("Name")).toHaveValue(slug);
  await expect(page.getByLabel("Sender")).toHaveValue("stripe");
  expect(page.url()).not.toContain("notAWebhookSecret");
  await page.getByLabel("Signing secret").fill("whsec_theOneOfStripe_0123");
  await page.getByRole("button", { name: "Create source" }).click();
  await expect(page).toHaveURL(`/sources?setup=${slug}`);
  await expect(page.locator("main .steps li").first()).toContainText(`/webhooks/${slug}`);
  expect(await page.content()).not.toContain("theOneOfStripe");

  const row = page.locator("tr", { hasText: slug });
  await row.getByRole("link", { name: /^Edit/ }).click();
  await page.getByText("test", { exact: true }).click();
  await page.getByRole("button", { name: "Save changes" }).click();
  expect((await api(request, "GET", `/sources/${slug}`)).mode).toBe("test");

  await row.getByRole("link", { name: /^Delete/ }).click();
  await page.getByLabel(`Type ${slug} to delete it`).fill("another");
  await page.getByRole("button", { name: `Delete ${slug}` }).click();
  await expect(page.locator("main")).toContainText("The name does not match");
  await page.getByLabel(`Type ${slug} to delete it`).fill(slug);
  await page.getByRole("button", { name: `Delete ${slug}` }).click();
  await expect(row).toHaveCount(0);
});
