import { type Page, test } from "@playwright/test";
import { mutate } from "./api";
import { addHistory } from "./history";
import { AccessPages } from "./pages/access";
import { SourcesPage } from "./pages/sources";
import { fillWorkspace } from "./sample";
import { OWNER, serveApp } from "./serve-app";
import { Upstream } from "./upstream";

const app = serveApp();
const upstream = new Upstream();
test.beforeAll(() => upstream.start());
test.afterAll(() => upstream.stop());

test("photographs every page in both themes, wide and narrow", async ({ page }) => {
  test.setTimeout(900_000);
  const access = new AccessPages(page, app.url);
  const shoot = (name: string) => photograph(page, name);
  const open = async (name: string, path: string) => {
    await page.goto(`${app.url}${path}`);
    await shoot(name);
  };

  await page.goto(`${app.url}/sign-in`);
  await shoot("sign-in");
  await access.signIn(OWNER);
  for (const [name, path] of [
    ["overview-empty", "/overview"],
    ["sources-empty", "/sources"],
    ["feeds-empty", "/feeds"],
    ["documents-empty", "/documents"],
    ["runs-empty", "/runs"],
    ["tokens-empty", "/tokens"],
    ["connect", "/sources/new"],
    ["connect-program", "/sources/new?kind=program"],
    ["import", "/sources/import"],
  ] as const)
    await open(name, path);

  const sample = await fillWorkspace(page.request, app.url, upstream);
  await addHistory(app, sample.apiFeedId);
  const failing = await app.sql<{ id: string }>("SELECT id FROM feeds WHERE name = 'Notices to mariners'");
  const failedRun = await app.sql<{ id: string }>(
    "SELECT id FROM sync_runs WHERE status = 'failed' AND error IS NOT NULL LIMIT 1",
  );
  const paths: Record<string, string> = {
    overview: "/overview",
    sources: "/sources",
    "sources-no-match": "/sources?status=deleting",
    source: `/sources/${sample.sourceId}`,
    "source-add-feed": `/sources/${sample.sourceId}?open=add`,
    "source-edit": `/sources/${sample.sourceId}?open=edit`,
    "source-delete": `/sources/${sample.sourceId}?open=delete`,
    feeds: "/feeds",
    "feeds-cause": "/feeds?cause=rejections",
    feed: `/feeds/${sample.feedId}`,
    "feed-runs": `/feeds/${sample.feedId}?tab=runs`,
    "feed-cursor": `/feeds/${sample.feedId}?tab=cursor`,
    "feed-edit": `/feeds/${sample.feedId}?open=edit`,
    "feed-delete": `/feeds/${sample.feedId}?open=delete`,
    "feed-rewind": `/feeds/${sample.feedId}?tab=cursor&open=reset&to=run:${sample.runId}`,
    "feed-rejected": `/feeds/${sample.apiFeedId}?tab=rejected`,
    "feed-held": `/feeds/${sample.apiFeedId}`,
    "feed-failing": `/feeds/${failing[0]?.id}`,
    documents: "/documents",
    "documents-deleted": "/documents?state=deleted",
    "documents-rejected": "/documents?view=rejected",
    document: `/documents/${sample.documentId}`,
    runs: "/runs",
    "runs-error": "/runs?after=nonsense",
    run: `/runs/${sample.runId}`,
    "run-failed": `/runs/${failedRun[0]?.id}`,
    tokens: "/tokens",
    "not-found": "/sources/nothing",
  };
  for (const [name, path] of Object.entries(paths)) await open(name, path);

  await page.goto(`${app.url}/documents?view=rejected`);
  await page.getByRole("row").nth(1).getByRole("button").first().click();
  await shoot("rejected-document");
  await page.goto(`${app.url}/feeds`);
  await page.getByLabel("Select all rows").check();
  await shoot("feeds-chosen");
  await page.getByRole("button", { name: "Columns" }).click();
  await shoot("feeds-columns");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: /^Pause \d+ feeds$/ }).click();
  await page.getByRole("button", { name: "Undo" }).waitFor();
  await shoot("feeds-paused-undo");
  await page.getByRole("button", { name: "Undo" }).click();
  await page.getByText(/^Resumed/).waitFor();

  await deleteUpstream(page, sample.apiFeedId);
  await open("documents-tombstones", "/documents?state=deleted");
  await page.getByRole("row").nth(1).getByRole("link").first().click();
  await page.getByText("This is a tombstone").waitFor();
  await shoot("tombstone");

  await page.goto(`${app.url}/tokens?feed=${sample.apiFeedId}`);
  await page.getByRole("button", { name: "Create token" }).click();
  await page.getByRole("dialog").getByLabel("Name").fill("Buoy pusher");
  await shoot("token-dialog");
  await page.getByRole("dialog").getByRole("button", { name: "Create token" }).click();
  await page.getByText("Copy it now").waitFor();
  await shoot("token-created");

  await page.goto(`${app.url}/sources/new`);
  await new SourcesPage(page).findFeeds(upstream.url);
  await page.getByRole("button", { name: "Connect 1 feed" }).waitFor();
  await shoot("connect-found");
  await page.goto(`${app.url}/sources`);
  await page.getByLabel("Select all rows").check();
  await shoot("sources-chosen");
  await page.getByRole("button", { name: /Account of/ }).click();
  await shoot("account");

  await page.route("**/api/trpc/live.events**", (route) => route.abort());
  await page.goto(`${app.url}/overview`);
  await page.getByText(/Live updates lost/).waitFor();
  await shoot("overview-offline");
});

/** A document of a feed that pushes becomes a tombstone. */
async function deleteUpstream(page: Page, feedId: string) {
  await mutate(page.request, app.url, "ingest.documents", {
    feedId,
    documents: [{ id: "r-2", deleted: true }],
  });
}

async function photograph(page: Page, name: string) {
  // The live connection never rests, so "network idle" never comes: what loads says so itself.
  await page
    .getByRole("status", { name: "Loading" })
    .first()
    .waitFor({ state: "detached", timeout: 10_000 })
    .catch(() => {});
  for (const theme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme: theme, reducedMotion: "reduce" });
    for (const width of [1440, 375]) {
      await page.setViewportSize({ width, height: width === 375 ? 812 : 900 });
      await page.screenshot({
        path: `screenshots-out/${name}-${theme}-${width}.png`,
        fullPage: width === 375,
      });
    }
  }
  await page.setViewportSize({ width: 1440, height: 900 });
}
