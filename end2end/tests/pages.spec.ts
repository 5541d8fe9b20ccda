// Every page, in both themes: it hydrates without an error, nothing jumps, axe finds nothing, nothing scrolls sideways.

import { anyDelivered, api, deliveryThatWaits, expect, failedReconciliation, hydrated, isSound, shifted, test } from "./acuse.ts";

const pages = {
  deliveries: async () => "/deliveries",
  "deliveries that failed": async () => "/deliveries?state=failed",
  "no match": async () => "/deliveries?type=nothing.like.this",
  "a delivery on its ladder": async (request) => `/deliveries/${(await deliveryThatWaits(request)).id}`,
  "a delivery that was taken": async (request) => `/deliveries/${await anyDelivered(request)}`,
  events: async () => "/events",
  "an event": async (request) => `/events/${(await api(request, "GET", "/events")).items[0].id}`,
  "no destination": async () => "/events?unrouted=true",
  "what a resend of many would do": async () => "/resends/new?state=delivered&destination=shop",
  resends: async () => "/resends",
  "a resend of many": async (request) => {
    const data = { filter: { state: "delivered", destination: "shop" }, reason: "looked at", rate_per_s: 1 };
    return `/resends/${(await api(request, "POST", "/resends", data)).id}`;
  },
  sources: async () => "/sources",
  "a new source": async () => "/sources?new=1",
  "a source to be changed": async () => "/sources?edit=paymos-sandbox",
  "a source to be deleted": async () => "/sources?delete=paymos-sandbox",
  "a source to be set up": async () => "/sources?setup=paymos-sandbox",
  destinations: async () => "/destinations",
  "a new destination": async () => "/destinations?new=1",
  "a destination to be paused": async () => "/destinations?pause=shop",
  secrets: async () => "/secrets",
  rejections: async () => "/rejections",
  alerts: async () => "/alerts",
  audit: async () => "/audit",
  reconciliation: async () => "/reconciliation",
  "a reconciliation that failed": async (request) => {
    await failedReconciliation(request);
    return "/reconciliation";
  },
} satisfies Record<string, (request: import("@playwright/test").APIRequestContext) => Promise<string>>;

const renewals = /\/rpc\/.*\/(page|detail)$/;

for (const theme of ["light", "dark"] as const) {
  test.describe(theme, () => {
    test.use({ colorScheme: theme });
    for (const [name, path] of Object.entries(pages)) {
      test(`${name} @phone`, async ({ page, request }) => {
        await anyDelivered(request);
        // What another test does meanwhile moves nothing here: renewals wait.
        await page.route(renewals, () => {});
        await page.goto(await path(request));
        await hydrated(page);
        const { score, nodes } = await shifted(page);
        await page.unroute(renewals);
        expect(score, nodes.join("\n")).toBeLessThan(0.02);
        await expect(page.locator("h1")).toHaveCount(1);
        await isSound(page);
      });
    }
  });
}

test("a page that is not there @phone", async ({ page, problems }) => {
  const answer = await page.goto("/nowhere");
  expect(answer?.status()).toBe(404);
  await hydrated(page);
  await isSound(page);
  // The browser itself writes of the status into the console.
  expect(problems.splice(0)).toEqual(["Failed to load resource: the server responded with a status of 404 (Not Found)"]);
});

test("the log-in page @phone", async ({ browser, baseURL }) => {
  const context = await browser.newContext({ baseURL });
  const page = await context.newPage();
  await page.goto("/deliveries");
  await expect(page).toHaveURL(/\/login\?next=/);
  await isSound(page);
  await context.close();
});

test("the session ends with the log-out", async ({ page }) => {
  await page.goto("/deliveries");
  await hydrated(page);
  await page.request.post("/logout", { headers: { origin: new URL(page.url()).origin } });
  await page.goto("/deliveries");
  await expect(page).toHaveURL(/\/login/);
});

test("nothing is painted before it is styled", async ({ page }) => {
  await page.route(/\/assets\/.*\.css$/, async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 700));
    await route.continue();
  });
  await page.goto("/deliveries");
  await hydrated(page);
  const [painted, styled] = await page.evaluate(() => [
    performance.getEntriesByName("first-contentful-paint")[0].startTime,
    (performance.getEntriesByType("resource") as PerformanceResourceTiming[]).find(({ name }) => name.endsWith(".css"))?.responseEnd,
  ]);
  expect(styled).toBeGreaterThan(700);
  expect(painted).toBeGreaterThanOrEqual(styled ?? 0);
});

test("the theme of the account is there before the first paint", async ({ page }) => {
  await page.goto("/deliveries");
  await hydrated(page);
  await page.getByRole("button", { name: /^Account/ }).click();
  await page.getByLabel("Dark").check();
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
  const html = await (await page.request.get("/deliveries")).text();
  expect(html).toMatch(/<html[^>]*data-theme="dark"/);
});

test.describe("in Spanish", () => {
  test.use({ locale: "es-ES" });

  test("the browser's language is the page's", async ({ page }) => {
    await page.route(renewals, () => {});
    await page.goto("/deliveries");
    await hydrated(page);
    await expect(page.locator("html")).toHaveAttribute("lang", "es");
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Entregas");
    // What the browser itself says is in it, too.
    await expect(page.locator(".live")).toContainText(/hace [1-9]+ s/);
  });
});
