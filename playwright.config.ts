import { defineConfig } from "@playwright/test";

/**
 * Stories in a real browser against the production build. Each spec file starts a server of its own
 * (e2e/serve-app.ts), so files neither share rows nor depend on an order.
 */
export default defineConfig({
  testDir: "./e2e",
  testMatch: "**/*.spec.ts",
  outputDir: "./test-results",
  globalSetup: "./e2e/global-setup.ts",
  workers: 2,
  fullyParallel: false,
  retries: 0,
  forbidOnly: Boolean(process.env.CI),
  timeout: 120_000,
  expect: { timeout: 15_000 },
  reporter: "list",
  use: {
    browserName: "chromium",
    viewport: { width: 1440, height: 900 },
    timezoneId: "Asia/Kathmandu",
    locale: "en-GB",
    actionTimeout: 15_000,
    navigationTimeout: 30_000,
    trace: "off", // it doubles what a click costs; `npx playwright test --trace on` records one
    screenshot: "only-on-failure",
    launchOptions: {
      executablePath: process.env.TIDEMARK_CHROMIUM ?? process.env.TIDEMARK_BROWSER ?? "/usr/bin/chromium",
      args: [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
      ],
    },
  },
});
