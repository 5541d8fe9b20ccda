// The same rotation with JavaScript off.

import { expect, test } from "@playwright/test";
import { api, logIn } from "./acuse.ts";

test("rotates a source, puts the end off, undoes it, and reads of it", async ({ page, request }) => {
  const slug = "plain-source";
  await api(request, "POST", "/sources", { slug, provider: "stripe", mode: "test", secret: "whsec_thePlainOldOne_01234" });
  await logIn(page);
  await page.goto("/secrets");
  await page.getByRole("button", { name: `Rotate the secret of ${slug}` }).click();
  await expect(page.locator("main .steps li").first()).toContainText("Stripe");
  const form = page.locator("main section form").first();
  await form.getByLabel("New secret from Stripe").fill(" whsec_thePlainNewOne_98765");
  await form.getByRole("button", { name: "Rotate", exact: true }).click();
  await expect(page.locator("main")).toContainText(/white space|spaces/i);
  await page.goto(`/secrets?rotate=${slug}&of=source`);
  await form.getByLabel("New secret from Stripe").fill("whsec_thePlainNewOne_98765");
  await form.getByLabel(/Reason/).fill("by hand");
  await form.getByRole("button", { name: "Rotate", exact: true }).click();
  await expect(page).toHaveURL(/\/secrets$/);
  const ring = page.getByRole("region", { name: slug, exact: true });
  await expect(ring).toContainText("No webhook is signed with the new secret yet");

  const [, before] = (await api(request, "GET", `/sources/${slug}/secrets`)).secrets;
  await ring.getByRole("button", { name: `Extend… ${before.fingerprint}` }).click();
  await form.getByRole("button", { name: "Extend", exact: true }).click();
  const [, later] = (await api(request, "GET", `/sources/${slug}/secrets`)).secrets;
  expect(Date.parse(later.expires_at) - Date.parse(before.expires_at)).toBe(86_400_000);

  await ring.getByRole("button", { name: `Undo the rotation of ${slug}` }).click();
  await form.getByRole("button", { name: "Undo the rotation", exact: true }).click();
  await expect(page).toHaveURL(/\/secrets$/);
  const left = (await api(request, "GET", `/sources/${slug}/secrets`)).secrets;
  expect(left.map((one: { id: string }) => one.id)).toEqual([before.id]);

  await page.goto(`/audit?subject=source/${slug}`);
  await expect(page.locator("main")).toContainText("Chain verified");
  await expect(page.locator("tbody tr").first()).toContainText("Undid the rotation of the source");
  await expect(page.locator("tbody")).toContainText("by hand");
  await expect(page.locator("body")).not.toContainText("thePlainNewOne");
});
