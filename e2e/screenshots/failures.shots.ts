import { test } from "@playwright/test";
import { addHistory } from "../history";
import { AccessPages } from "../pages/access";
import { fillWorkspace, type Sample } from "../sample";
import { OWNER, serveApp } from "../serve-app";
import { Upstream } from "../upstream";
import { photograph, photographEach } from "./photograph";

const app = serveApp();
const upstream = new Upstream();
let sample: Sample;

test.beforeAll(async ({ browser }) => {
  await upstream.start();
  const page = await browser.newPage();
  await new AccessPages(page, app.url).signIn(OWNER);
  sample = await fillWorkspace(page.request, app.url, upstream);
  await addHistory(app, sample.apiFeedId);
  await page.close();
});
test.afterAll(() => upstream.stop());
test.beforeEach(async ({ page }) => {
  await new AccessPages(page, app.url).signIn(OWNER);
});

test("what is not there, and what cannot be read", async ({ page }) => {
  await photographEach(page, app.url, {
    "not-found": "/sources/nothing",
    "runs-error": "/runs?after=nonsense",
  });
  // The database loses a table: the server itself fails.
  await app.sql("ALTER TABLE feeds RENAME TO feeds_away");
  try {
    await page.goto(`${app.url}/feeds/${sample.feedId}`);
    await page.getByText("This page could not be shown").waitFor();
    await photograph(page, "server-error");
    await page.goto(`${app.url}/feeds`);
    await page
      .getByText(/could not be read/)
      .first()
      .waitFor();
    await photograph(page, "feeds-error");
  } finally {
    await app.sql("ALTER TABLE feeds_away RENAME TO feeds");
  }
});

test("pages that are being read", async ({ page }) => {
  // Pages come with what they show first; what is asked for afterwards is what one waits for.
  for (const [name, path, then] of [
    ["loading-overview", "/overview", null],
    ["loading-tokens", "/tokens", null],
    ["loading-feed-runs", `/feeds/${sample.feedId}`, "Runs"],
    ["loading-feed-cursor", `/feeds/${sample.feedId}`, "Cursor history"],
  ] as const) {
    let letGo = () => {};
    const held = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    await page.route("**/api/trpc/**", async (route) => {
      await held;
      await route.continue();
    });
    await page.goto(`${app.url}${path}`);
    if (then) await page.getByRole("tab", { name: then }).click();
    await page.getByRole("status", { name: "Loading" }).first().waitFor();
    await photograph(page, name, { isLoading: true });
    letGo();
    await page.unrouteAll({ behavior: "ignoreErrors" });
  }
});

test("a lost connection", async ({ page }) => {
  await page.route("**/api/trpc/live.events**", (route) => route.abort());
  await page.goto(`${app.url}/overview`);
  await page.getByText(/Live updates lost/).waitFor();
  await photograph(page, "overview-offline");
  // Then everything else stops answering too.
  await page.goto(`${app.url}/feeds/${sample.feedId}`);
  await page.route("**/api/trpc/**", (route) => route.abort());
  await page.getByText("The server cannot be reached.").first().waitFor({ timeout: 60_000 });
  await photograph(page, "feed-stale");
});

test("a reader's view", async ({ page }) => {
  await app.sql("UPDATE memberships SET role = 'viewer'");
  await photographEach(page, app.url, {
    "viewer-sources": "/sources",
    "viewer-source": `/sources/${sample.sourceId}`,
    "viewer-feed-held": `/feeds/${sample.apiFeedId}`,
  });
});
