import { test } from "@playwright/test";
import { AccessPages } from "./pages/access";
import { fillWorkspace, type Sample } from "./sample";
import { type App, OWNER, serveApp } from "./serve-app";
import { Upstream } from "./upstream";

/**
 * A server of this spec file's own on a workspace in use; every test begins signed in. Call it at the top
 * of a file; both handles are filled before the first test.
 */
export function serveSample(): { app: App; sample: Sample } {
  const app = serveApp();
  const upstream = new Upstream();
  const sample = {} as Sample;

  test.beforeAll(async ({ browser }) => {
    await upstream.start();
    const page = await browser.newPage();
    await new AccessPages(page, app.url).signIn(OWNER);
    Object.assign(sample, await fillWorkspace(page.request, app.url, upstream));
    await page.close();
  });
  test.afterAll(() => upstream.stop());
  test.beforeEach(async ({ page }) => {
    await new AccessPages(page, app.url).signIn(OWNER);
  });
  return { app, sample };
}
