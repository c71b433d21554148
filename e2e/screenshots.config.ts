import base from "../playwright.config";

/** `npx playwright test --config e2e/screenshots.config.ts`: pictures of every page, for people to look at. */
export default {
  ...base,
  testDir: ".",
  testMatch: "screenshots.ts",
  outputDir: "../test-results",
  globalSetup: "./global-setup.ts",
};
