// Rotations and reconciliations, as support staff do them.

import { api, expect, hydrated, isSound, test } from "./acuse.ts";

test("a destination's secret is rotated, shown once, and signs beside the old one", async ({ page, request }) => {
  const { secret } = await api(request, "POST", "/destinations", {
    slug: "to-rotate",
    url: "http://127.0.0.1:9/",
    format: "paymos",
    events: ["nothing.yet"],
  });
  await page.goto("/secrets");
  await hydrated(page);
  await page.getByRole("button", { name: "Rotate the secret of to-rotate" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog).toBeVisible();
  await isSound(page);
  await dialog.locator("button.primary").click();
  const made = page.locator("#made-secret");
  await expect(made).toContainText("whsec_");
  const shown = (await made.innerText()).match(/whsec_[A-Za-z0-9+/=]+/)?.[0] ?? "";
  expect(shown.length).toBeGreaterThan(40);
  expect(shown).not.toBe(secret);
  const { secrets } = await api(request, "GET", "/destinations/to-rotate/secrets");
  expect(secrets).toHaveLength(2);
  expect(secrets[0].expires_at).toBeNull();
  const left = (new Date(secrets[1].expires_at).getTime() - Date.now()) / 3_600_000;
  expect(left).toBeGreaterThan(23.9);
  expect(left).toBeLessThanOrEqual(24);
  await page.reload();
  await hydrated(page);
  await expect(page.locator("body")).not.toContainText(shown);
});

test("the old secret is retired after a warning", async ({ page, request }) => {
  await api(request, "POST", "/destinations", {
    slug: "to-retire",
    url: "http://127.0.0.1:9/",
    format: "paymos",
    events: ["nothing.yet"],
  });
  const { secrets } = await api(request, "POST", "/destinations/to-retire/secrets", { overlap_s: 86_400 });
  await page.goto("/secrets");
  await hydrated(page);
  const old = secrets[1].fingerprint;
  await page.getByRole("button", { name: `Retire the secret ${old} now?` }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog).toContainText("has not yet been tested with the new secret alone");
  // Nothing is sent before the warning is acknowledged.
  await dialog.locator("button.danger").click();
  await expect(dialog).toBeVisible();
  await dialog.getByLabel("Retire it anyway").check();
  await dialog.locator("button.danger").click();
  await expect(page.getByRole("dialog")).toBeHidden();
  await expect.poll(async () => (await api(request, "GET", "/destinations/to-retire/secrets")).secrets.length).toBe(1);
  await expect(page.getByText(old).filter({ visible: true })).toHaveCount(0);
});

test("a reconciliation is started by hand and ends with what it compared", async ({ page, request }) => {
  await page.goto("/reconciliation");
  await hydrated(page);
  const runs = async () => (await api(request, "GET", "/reconciliations")).items;
  const before = (await runs()).length;
  await page.locator(".page-head .button.primary").click();
  await page.getByRole("dialog").locator("button.primary").click();
  await expect(page.getByRole("dialog")).toBeHidden();
  await expect.poll(async () => (await runs()).length, { timeout: 15_000 }).toBeGreaterThan(before);
  await expect.poll(async () => (await runs())[0].state, { timeout: 30_000 }).toBe("done");
  expect((await runs())[0].fetched).toBeGreaterThan(0);
});
