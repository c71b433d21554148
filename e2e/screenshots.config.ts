import base from "../playwright.config";

/** `npm run screenshots`: every page and state in both themes and both widths, for people to look at. */
export default {
  ...base,
  testDir: "./screenshots",
  testMatch: "*.shots.ts",
  outputDir: "../test-results",
  globalSetup: "./global-setup.ts",
  timeout: 900_000,
};
