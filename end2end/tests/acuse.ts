// What the browser tests share: a logged-in page that fails on any console error, and the API.

import { readFileSync } from "node:fs";
import { AxeBuilder } from "@axe-core/playwright";
import { type APIRequestContext, type Page, expect, test as base } from "@playwright/test";

/** What the sandbox printed when it started. */
export function printed(name: string): string {
  const log = readFileSync(`${process.env.ACUSE_E2E_DIR}/server.log`, "utf8");
  const found = log.match(new RegExp(`^ +${name} +(\\S+)$`, "m"));
  if (!found) throw new Error(`the sandbox did not print "${name}"`);
  return found[1];
}

/** Logs in as the sandbox's user, past the form: the cookie lands in the page's context. */
export async function logIn(page: Page): Promise<void> {
  const form = { email: printed("E-mail"), password: printed("Password"), next: "/deliveries" };
  const answer = await page.request.post("/login", { form, maxRedirects: 0 });
  expect(answer.status()).toBe(303);
  expect(answer.headers().location).toBe("/deliveries");
}

/** A call of the REST API, as an admin. */
export async function api(request: APIRequestContext, method: string, path: string, data?: unknown) {
  const headers = { authorization: `Bearer ${printed("API token")}` };
  const answer = await request.fetch(`/api/v1${path}`, { method, headers, data });
  expect(answer.ok(), `${method} ${path}: ${answer.status()} ${await answer.text()}`).toBe(true);
  return answer.status() === 204 ? null : answer.json();
}

/** A destination that answers nothing, so that its deliveries stay on the ladder; made once for all tests. */
export async function deliveryThatWaits(request: APIRequestContext) {
  const { items } = await api(request, "GET", "/destinations");
  if (!items.some((destination: { slug: string }) => destination.slug === "closed")) {
    const headers = { authorization: `Bearer ${printed("API token")}` };
    // Two workers may be here at the same time: one of them is told that the name is taken.
    const data = { slug: "closed", url: "http://127.0.0.1:9/", format: "paymos" };
    const answer = await request.post("/api/v1/destinations", { headers, data });
    expect([201, 409]).toContain(answer.status());
  }
  let delivery: { id: number; event_id: string; next_attempt_at: string } | undefined;
  await expect
    .poll(
      async () => {
        const page = await api(request, "GET", "/deliveries?destination=closed&state=pending");
        delivery = page.items.find((item: { attempts: number }) => item.attempts > 0);
        return delivery !== undefined;
      },
      { timeout: 60_000, message: "the sandbox's traffic reaches the closed destination" },
    )
    .toBe(true);
  if (!delivery) throw new Error("unreachable");
  return delivery;
}

/** A reconciliation whose provider does not answer. */
export async function failedReconciliation(request: APIRequestContext): Promise<void> {
  const headers = { authorization: `Bearer ${printed("API token")}` };
  const nobody = { base_url: "http://127.0.0.1:9", key: "pk_test_nobody", secret: "sk_test_nobody" };
  const data = { slug: "silent", provider: "paymos", mode: "test", secret: "whsec_test_that_nobody_signs_with", api: nobody };
  // Two workers may be here at the same time: one of them is told that it is there, or runs.
  expect([201, 409]).toContain((await request.post("/api/v1/sources", { headers, data })).status());
  const window = { from: "2026-01-01T00:00:00Z", to: "2026-01-02T00:00:00Z" };
  const started = await request.post("/api/v1/sources/silent/reconciliations", { headers, data: window });
  expect([202, 409]).toContain(started.status());
  const isOver = async () => {
    const { items } = await api(request, "GET", "/reconciliations?source=silent");
    return items.some(({ state }: { state: string }) => state === "failed");
  };
  await expect.poll(isOver, { timeout: 30_000, message: "the reconciliation fails" }).toBe(true);
}

/** The newest delivery that the shop has taken. */
export async function anyDelivered(request: APIRequestContext) {
  let id = 0;
  await expect
    .poll(
      async () => {
        const { items } = await api(request, "GET", "/deliveries?destination=shop&state=delivered");
        id = items[0]?.id ?? 0;
        return id;
      },
      { timeout: 60_000, message: "the shop takes a delivery" },
    )
    .toBeGreaterThan(0);
  return id;
}

/** Hydration is done: buttons do what they say. */
export async function hydrated(page: Page): Promise<void> {
  await expect(page.locator("html")).toHaveAttribute("data-hydrated", "");
}

/** Nothing serious for axe, and nothing to scroll sideways. */
export async function isSound(page: Page): Promise<void> {
  // The two rules have none of these tags: one is best practice, the other experimental.
  const values = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];
  const rules = { "heading-order": { enabled: true }, "label-content-name-mismatch": { enabled: true } };
  const { violations } = await new AxeBuilder({ page }).options({ runOnly: { type: "tag", values }, rules }).analyze();
  const found = violations.map(({ id, impact, nodes }) => `${impact} ${id}: ${nodes.map((node) => node.html).join("\n")}`);
  expect(found).toEqual([]);
  const [scroll, client] = await page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    return [scrollWidth, clientWidth];
  });
  expect(scroll, "no sideways scrolling").toBeLessThanOrEqual(client);
}

/** What has moved, and how far, from the first paint to half a second after the hydration: before the first renewal. */
export async function shifted(page: Page): Promise<{ score: number; nodes: string[] }> {
  return page.evaluate(
    () =>
      new Promise((resolve) => {
        const found = { score: 0, nodes: [] as string[] };
        const until = performance.getEntriesByName("hydrated")[0].startTime + 500;
        new PerformanceObserver((list) => {
          type Shift = PerformanceEntry & { value: number; sources: { node?: Element }[] };
          for (const { startTime, value, sources } of list.getEntries() as Shift[]) {
            if (startTime > until) continue;
            found.score += value;
            found.nodes.push(...sources.map(({ node }) => node?.outerHTML?.slice(0, 200) ?? "text"));
          }
        }).observe({ type: "layout-shift", buffered: true });
        setTimeout(() => resolve(found), Math.max(100, until - performance.now()));
      }),
  );
}

/** A test whose page is logged in, and which fails on console errors, failed scripts and 5xx answers. */
export const test = base.extend<{ page: Page; problems: string[] }>({
  problems: async ({}, use) => use([]),
  page: async ({ page, problems }, use) => {
    page.on("console", (message) => {
      if (message.type() === "error" || /hydrat/i.test(message.text())) problems.push(message.text());
    });
    page.on("pageerror", (error) => problems.push(error.message));
    page.on("response", (answer) => {
      if (answer.status() >= 500) problems.push(`${answer.status()} ${answer.url()}`);
    });
    // When the hydration is done.
    await page.addInitScript(() => {
      new MutationObserver((_, observer) => {
        if (!document.documentElement?.hasAttribute("data-hydrated")) return;
        performance.mark("hydrated");
        observer.disconnect();
      }).observe(document, { subtree: true, attributes: true, attributeFilter: ["data-hydrated"] });
    });
    await logIn(page);
    await use(page);
    expect(problems).toEqual([]);
  },
});
export { expect };
