import { type Page, test } from "@playwright/test";
import { mutate } from "../api";
import { AccessPages } from "../pages/access";
import { ChangeFeedPage } from "../pages/change-feed";
import { fillWorkspace, type Sample } from "../sample";
import { OWNER, serveApp } from "../serve-app";
import { Upstream } from "../upstream";
import { photograph } from "./photograph";

const app = serveApp();
const upstream = new Upstream();

test.beforeAll(() => upstream.start());
test.afterAll(() => upstream.stop());

/** Consumers in every state: at the head, behind, on the first walk, about to expire, expired. */
async function addConsumers({ apiFeedId, sourceId }: Sample) {
  await app.sql(
    `INSERT INTO consumers (workspace_id, name, epoch, position, snapshot_bound, source_id, feed_id, actor, seen_at)
     SELECT w.id, c.name, CASE WHEN c.name = 'old-index' THEN 'another' ELSE i.epoch END,
            CASE c.at WHEN 'head' THEN head ELSE c.at::bigint END, CASE WHEN c.name = 'new-mirror' THEN head END,
            c.source_id, c.feed_id, jsonb_build_object('type', 'token', 'id', 'tok_x', 'name', c.token),
            now() - c.ago::interval
       FROM workspaces w, instance i, (SELECT max(seq) AS head FROM documents) h,
            (VALUES ('search-index', 'head', NULL, NULL, 'Search', '4 seconds'),
                    ('harbour-website', '9', $1, NULL, 'Website', '3 hours'),
                    ('new-mirror', '4', NULL, NULL, 'Laptop of Ada', '1 minute'),
                    ('buoy-dashboard-with-a-long-name-in-the-east', '2', NULL, $2, 'Buoys', '26 days'),
                    ('old-index', '3', NULL, NULL, 'Search', '40 days')) AS c (name, at, source_id, feed_id, token, ago)`,
    [sourceId, apiFeedId],
  );
  await app.sql("UPDATE documents SET changed_at = now() - interval '27 days' WHERE state = 'tombstone'");
}

test("the change feed", async ({ page }) => {
  await new AccessPages(page, app.url).signIn(OWNER);
  const feed = new ChangeFeedPage(page);
  await feed.open(app.url);
  await page.getByText("No change yet").waitFor();
  await photograph(page, "changes-empty");

  const sample = await fillWorkspace(page.request, app.url, upstream);
  await mutate(page.request, app.url, "ingest.documents", {
    feedId: sample.apiFeedId,
    documents: [
      { id: "r-2", deleted: true },
      {
        id: "r-4",
        version: "1",
        title: "Reading 4, with a title that is longer than there is room for on one line",
      },
    ],
  });
  await addConsumers(sample);
  await feed.open(app.url);
  await feed.consumer("search-index").waitFor();
  await photograph(page, "changes");
  await page.goto(`${app.url}/changes?language=javascript&source=${sample.sourceId}`);
  await feed.expectTail("Live");
  await photograph(page, "changes-javascript");
  await questions(page);
  await held(page, feed, sample);
  await lost(page, feed);
  await readOnly(page, feed);
});

async function questions(page: Page) {
  await page.getByRole("button", { name: "Forget search-index…" }).click();
  await page.getByRole("dialog").waitFor();
  await photograph(page, "changes-forget", { inFront: true });
  await page.keyboard.press("Escape");
  await page.getByLabel("Days").fill("0");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("At least 1 day").waitFor();
  await photograph(page, "changes-retention-refused");
  await page.getByLabel("Days").fill("7");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("dialog").getByText("will be forgotten").waitFor();
  await photograph(page, "changes-retention-shorter", { inFront: true });
  await page.keyboard.press("Escape");
}

/** A writer that is open, and a tail that stands still. */
async function held(page: Page, feed: ChangeFeedPage, { apiFeedId }: Sample) {
  await feed.open(app.url);
  await page.getByRole("button", { name: "Pause the tail" }).click();
  await mutate(page.request, app.url, "ingest.documents", { feedId: apiFeedId, documents: [{ id: "r-5" }] });
  await page.getByRole("button", { name: "Resume: 1 new" }).waitFor();
  await app.sql("BEGIN");
  await app.sql("UPDATE documents SET title = title WHERE external_id = 'r-1'");
  await mutate(page.request, app.url, "ingest.documents", { feedId: apiFeedId, documents: [{ id: "r-6" }] });
  await page.getByText("a writer that began earlier").waitFor();
  await photograph(page, "changes-held-back");
  await app.sql("ROLLBACK");
}

async function lost(page: Page, feed: ChangeFeedPage) {
  await page.route("**/api/trpc/changes.tail**", (route) => route.abort());
  await page.goto(`${app.url}/changes`);
  await feed.expectTail("Connection lost");
  await photograph(page, "changes-lost", { isLoading: true });
  await page.unroute("**/api/trpc/changes.tail**");
}

async function readOnly(page: Page, feed: ChangeFeedPage) {
  await app.sql("UPDATE memberships SET role = 'viewer'");
  await feed.open(app.url);
  await photograph(page, "changes-viewer");
}
