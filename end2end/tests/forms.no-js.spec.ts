// With JavaScript off: log in, filter, page, resend, rotate.

import { expect, test } from "@playwright/test";
import { anyDelivered, api, logIn, printed } from "./acuse.ts";

test("logs in after a wrong try, and out again", async ({ page }) => {
  await page.goto("/deliveries?state=failed");
  await expect(page).toHaveURL(/\/login\?next=/);
  await page.getByLabel("E-mail").fill("nobody@acuse.example");
  await page.getByLabel("Password").fill("not the right one");
  await page.getByRole("button", { name: "Log in" }).click();
  await expect(page.getByRole("alert")).toContainText("Wrong e-mail or password");
  await expect(page.getByLabel("E-mail")).toHaveValue("nobody@acuse.example");
  await page.getByLabel("E-mail").fill(printed("E-mail"));
  await page.getByLabel("Password").fill(printed("Password"));
  await page.getByRole("button", { name: "Log in" }).click();
  await expect(page).toHaveURL(/\/deliveries\?state=failed$/);
  await page.getByRole("button", { name: /^Account/ }).click();
  await page.getByRole("button", { name: "Log out" }).click();
  await expect(page).toHaveURL(/\/login/);
});

test("filters and opens a delivery", async ({ page, request }) => {
  await anyDelivered(request);
  await logIn(page);
  await page.goto("/deliveries");
  await page.getByLabel("Destination").selectOption("shop");
  await page.getByRole("button", { name: "Apply" }).click();
  await expect(page).toHaveURL(/destination=shop/);
  await page.locator("tbody th a").first().click();
  await expect(page.getByRole("heading", { level: 1 })).toContainText("Delivery");
  await expect(page.locator(".rungs > li").first()).toBeAttached();
});

test("resends with a reason", async ({ page, request }) => {
  const id = await anyDelivered(request);
  const reason = "asked for by hand, without script";
  await logIn(page);
  await page.goto(`/deliveries/${id}`);
  await page.getByRole("button", { name: "Resend…" }).click();
  await page.getByLabel(/Reason/).filter({ visible: true }).fill(reason);
  await page.getByRole("button", { name: "Resend now" }).filter({ visible: true }).click();
  await expect(page).toHaveURL(new RegExp(`/deliveries/${id}`));
  const reasons = async () =>
    (await api(request, "GET", `/deliveries/${id}`)).attempt_log.map((attempt: { reason: string }) => attempt.reason);
  await expect.poll(reasons).toContain(reason);
});

test("rotates a destination's secret and sees it once", async ({ page, request }) => {
  await api(request, "POST", "/destinations", {
    slug: "shown-once",
    url: "http://127.0.0.1:9/",
    format: "paymos",
    events: ["nothing.yet"],
  });
  await logIn(page);
  await page.goto("/secrets?rotate=shown-once&of=destination");
  await page.locator("main section form button.primary").first().click();
  await expect(page).toHaveURL(/\/secrets/);
  const shown = (await page.locator("#made-secret").innerText()).match(/whsec_[A-Za-z0-9+/=]+/)?.[0] ?? "";
  expect(shown.length).toBeGreaterThan(40);
  expect((await api(request, "GET", "/destinations/shown-once/secrets")).secrets).toHaveLength(2);
  await page.goto("/secrets");
  expect(await page.content()).not.toContain(shown);
});

test("rotates a source's secret", async ({ page, request }) => {
  await api(request, "POST", "/sources", { slug: "plain", provider: "paymos", mode: "test", secret: "whsec_first_one" });
  await logIn(page);
  await page.goto("/secrets?rotate=plain&of=source");
  await page.locator("#new-secret").first().fill("whsec_second_one");
  await page.locator("main section form button.primary").first().click();
  await expect(page).toHaveURL(/\/secrets/);
  expect((await api(request, "GET", "/sources/plain/secrets")).secrets).toHaveLength(2);
  expect(await page.content()).not.toContain("whsec_second_one");
});

test("deletes a destination when its name is typed, and not before", async ({ page, request }) => {
  const data = { slug: "to-delete", url: "http://127.0.0.1:9/", format: "paymos", events: ["nothing.yet"] };
  await api(request, "POST", "/destinations", data);
  await logIn(page);
  await page.goto("/destinations?delete=to-delete");
  await page.getByLabel("Type to-delete to delete it").fill("something else");
  await page.getByRole("button", { name: "Delete to-delete" }).click();
  await expect(page.getByRole("alert")).toContainText("The name does not match: nothing was deleted.");
  const slugs = async () => (await api(request, "GET", "/destinations")).items.map((row: { slug: string }) => row.slug);
  expect(await slugs()).toContain("to-delete");
  await page.goto("/destinations?delete=to-delete");
  await page.getByLabel("Type to-delete to delete it").fill("to-delete");
  await page.getByRole("button", { name: "Delete to-delete" }).click();
  await expect(page).toHaveURL(/\/destinations$/);
  expect(await slugs()).not.toContain("to-delete");
});
