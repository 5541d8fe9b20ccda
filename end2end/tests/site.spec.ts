// The server is up, and what it serves to browsers is what the pages ask for.

import { expect, test } from "@playwright/test";

test("the server is alive and ready", async ({ request }) => {
  expect((await request.get("/healthz")).status()).toBe(200);
  expect((await request.get("/readyz")).status()).toBe(200);
});

test("the files of the site arrive compressed and are cached for good", async ({ page }) => {
  const assets = new Map<string, Record<string, string>>();
  page.on("response", async (response) => {
    const { pathname } = new URL(response.url());
    if (pathname.startsWith("/assets/")) assets.set(path(pathname), response.headers());
  });
  await page.goto("/login", { waitUntil: "networkidle" });
  for (const name of ["app.css", "app.js", "app.wasm"]) {
    const headers = assets.get(name);
    expect(headers, `${name} is loaded`).toBeDefined();
    expect(headers?.["cache-control"]).toContain("immutable");
    expect(headers?.["content-encoding"]).toMatch(/^(br|gzip)$/);
  }
  expect(assets.get("app.wasm")?.["content-type"]).toBe("application/wasm");
});

/** "/assets/app.0123456789.js" → "app.js" */
function path(url: string): string {
  return url.replace("/assets/", "").replace(/\.[0-9a-f]{10}\./, ".");
}
