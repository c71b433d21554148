import { test } from "@playwright/test";
import { fillWorkspace, type Sample } from "./sample";
import { type App, serveApp } from "./serve-app";
import { Upstream } from "./upstream";

/**
 * A server of this spec file's own on a workspace in use; every test begins signed in. Call it at the top
 * of a file; both handles are filled before the first test.
 */
export function serveSample(): { app: App; sample: Sample } {
  const app = serveApp();
  const upstream = new Upstream();
  const sample = {} as Sample;

  test.beforeAll(async () => {
    await upstream.start();
    Object.assign(sample, await fillWorkspace(app.asOwner, app.url, upstream));
  });
  test.afterAll(() => upstream.stop());
  test.beforeEach(async ({ page }) => {
    await app.signIn(page.context());
  });
  return { app, sample };
}
