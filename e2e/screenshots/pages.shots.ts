import { type Page, test } from "@playwright/test";
import { mutate } from "../api";
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

test("every page", async ({ page }) => {
  const [failing] = await app.sql<{ id: string }>("SELECT id FROM feeds WHERE name = 'Notices to mariners'");
  const [failedRun] = await app.sql<{ id: string }>(
    "SELECT id FROM sync_runs WHERE status = 'failed' AND error IS NOT NULL LIMIT 1",
  );
  const [pausedSource] = await app.sql<{ id: string }>("SELECT id FROM sources WHERE name = 'Old archive'");
  await photographEach(page, app.url, {
    overview: "/overview",
    sources: "/sources",
    "sources-no-match": "/sources?status=deleting",
    source: `/sources/${sample.sourceId}`,
    "source-paused-empty": `/sources/${pausedSource?.id}`,
    feeds: "/feeds",
    "feeds-cause": "/feeds?cause=rejections",
    "feeds-no-match": "/feeds?q=nothing+like+it",
    feed: `/feeds/${sample.feedId}`,
    "feed-runs": `/feeds/${sample.feedId}?tab=runs`,
    "feed-cursor": `/feeds/${sample.feedId}?tab=cursor`,
    "feed-rejected": `/feeds/${sample.apiFeedId}?tab=rejected`,
    "feed-held": `/feeds/${sample.apiFeedId}`,
    "feed-failing": `/feeds/${failing?.id}`,
    documents: "/documents",
    "documents-deleted": "/documents?state=deleted",
    "documents-rejected": "/documents?view=rejected",
    document: `/documents/${sample.documentId}`,
    runs: "/runs",
    "runs-failed": "/runs?status=failed",
    run: `/runs/${sample.runId}`,
    "run-failed": `/runs/${failedRun?.id}`,
    tokens: `/tokens?feed=${sample.apiFeedId}`,
    "tokens-python": `/tokens?feed=${sample.apiFeedId}&language=python`,
  });
  await page.goto(`${app.url}/feeds/${failing?.id}`);
  await page.getByText("What it answered").click();
  await photograph(page, "feed-failing-answer");
  await page.goto(`${app.url}/runs/${failedRun?.id}`);
  for (const fold of await page.locator("main summary").all()) await fold.click();
  await photograph(page, "run-failed-unfolded");
});

test("tombstones", async ({ page }) => {
  await mutate(page.request, app.url, "ingest.documents", {
    feedId: sample.apiFeedId,
    documents: [{ id: "r-2", deleted: true }],
  });
  await page.goto(`${app.url}/documents?state=deleted`);
  await photograph(page, "documents-tombstones");
  await page.getByRole("row").nth(1).getByRole("link").first().click();
  await page.getByText("This is a tombstone").waitFor();
  await photograph(page, "tombstone");
});

test("a token, from its question to its first push", async ({ page }) => {
  await page.goto(`${app.url}/tokens?feed=${sample.apiFeedId}`);
  await page.getByRole("button", { name: "Create token" }).first().click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("Buoy pusher");
  await photograph(page, "token-dialog", { inFront: true });
  await dialog.getByRole("button", { name: "Create token" }).click();
  await page.getByText("Copy it now").waitFor();
  await photograph(page, "token-created");
  await revoke(page, "Buoy pusher");
});

async function revoke(page: Page, name: string) {
  await page.getByRole("button", { name: `Revoke ${name}…` }).click();
  await page.getByRole("dialog").waitFor();
  await photograph(page, "token-revoke", { inFront: true });
  await page
    .getByRole("dialog")
    .getByRole("button", { name: `Revoke ${name}` })
    .click();
  await page.getByRole("row", { name }).getByText("Revoked").waitFor();
  await photograph(page, "tokens-revoked");
}
