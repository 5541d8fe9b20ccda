// Browser tests against the real binary, with a database of its own that starts empty.
//
// `*.no-js.spec.ts` runs with JavaScript off; every other file runs on a desktop, and its tests tagged @phone on a
// phone as well.

import { execFileSync } from "node:child_process";
import path from "node:path";
import { defineConfig } from "@playwright/test";

const here = import.meta.dirname;
const freePort = `const s = require("net").createServer().listen(0, "127.0.0.1", () => {
  console.log(s.address().port); s.close(); })`;
// The workers read this file again and inherit the environment: the port is chosen once.
process.env.ACUSE_E2E_PORT ??= execFileSync(process.execPath, ["-e", freePort], { encoding: "utf8" }).trim();
process.env.ACUSE_E2E_DIR ??= path.join(here, ".run");

const listen = `127.0.0.1:${process.env.ACUSE_E2E_PORT}`;
const dir = process.env.ACUSE_E2E_DIR;
const phone = /@phone/;
const noJs = /\.no-js\.spec\.ts$/;

export default defineConfig({
  testDir: "tests",
  forbidOnly: Boolean(process.env.CI),
  fullyParallel: true,
  globalTeardown: "./teardown.ts",
  outputDir: "test-results",
  reporter: "list",
  retries: 0,
  workers: 2,
  use: {
    baseURL: `http://${listen}`,
    launchOptions: {
      executablePath: process.env.ACUSE_CHROMIUM ?? "/usr/bin/chromium",
      args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
    },
    locale: "en-GB",
    screenshot: "only-on-failure",
    timezoneId: "UTC",
    trace: "retain-on-failure",
  },
  projects: [
    { name: "desktop", testIgnore: noJs, use: { viewport: { width: 1440, height: 900 } } },
    {
      name: "phone",
      testIgnore: noJs,
      grep: phone,
      use: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
    },
    { name: "no-js", testMatch: noJs, use: { viewport: { width: 1440, height: 900 }, javaScriptEnabled: false } },
  ],
  webServer: {
    command: `rm -rf "$ACUSE_E2E_DIR" && mkdir -p "$ACUSE_E2E_DIR" && \
      exec ../target/release/acuse serve --sandbox >"$ACUSE_E2E_DIR/server.log" 2>&1`,
    cwd: here,
    env: {
      ACUSE_LISTEN: listen,
      ACUSE_DATABASE_URL: `sqlite://${dir}/acuse.db`,
      ACUSE_KEY_FILE: `${dir}/acuse.key`,
    },
    url: `http://${listen}/readyz`,
    gracefulShutdown: { signal: "SIGTERM", timeout: 15_000 },
    reuseExistingServer: false,
    timeout: 60_000,
  },
});
