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
  for (const [name, from, link] of [
    ["loading-runs", "/overview", "Runs"],
    ["loading-documents", "/overview", "Documents"],
    ["loading-overview", "/runs", "Overview"],
  ] as const) {
    await page.goto(`${app.url}${from}`);
    let letGo = () => {};
    const held = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    for (const pattern of ["**/api/trpc/**", "**/*_rsc=*"]) {
      await page.route(pattern, async (route) => {
        if (pattern.includes("trpc")) await held;
        await route.continue();
      });
    }
    await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: link }).first().click();
    await page.getByRole("heading", { level: 1, name: link }).waitFor();
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
  await page
    .getByText(/could not be reached|not reach/i)
    .first()
    .waitFor({ timeout: 60_000 })
    .catch(() => {});
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
