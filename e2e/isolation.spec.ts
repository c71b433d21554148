import { expect, test } from "@playwright/test";
import { mutate } from "./api";
import { serveApp } from "./serve-app";

const app = serveApp();

/** Ids of another workspace, as real as ours: they exist, but not for the person who asks. */
const OTHER = {
  source: "src_01k0000000e00r0000000000aa",
  feed: "feed_01k0000000e00r0000000000ab",
  document: "doc_01k0000000e00r0000000000ac",
  run: "run_01k0000000e00r0000000000ad",
};

test.beforeAll(async () => {
  await app.sql(`
    WITH w AS (INSERT INTO workspaces (name) VALUES ('Elsewhere') RETURNING id),
    s AS (INSERT INTO sources (workspace_id, id, type, name, runs_on)
          SELECT id, '${OTHER.source}', 'api', 'Their source', 'api' FROM w RETURNING workspace_id),
    f AS (INSERT INTO feeds (workspace_id, id, source_id, external_key, name)
          SELECT workspace_id, '${OTHER.feed}', '${OTHER.source}', 'default', 'Their feed' FROM s RETURNING workspace_id),
    r AS (INSERT INTO sync_runs (workspace_id, id, feed_id, source_id, status, trigger, executor, actor)
          SELECT workspace_id, '${OTHER.run}', '${OTHER.feed}', '${OTHER.source}', 'succeeded', 'api', 'api', '{"type":"cli"}'
            FROM f RETURNING workspace_id)
    INSERT INTO documents (workspace_id, id, feed_id, source_id, external_id, title, seq)
    SELECT workspace_id, '${OTHER.document}', '${OTHER.feed}', '${OTHER.source}', 'x', 'Their secret', nextval('document_seq')
      FROM r`);
});

const PATHS = [
  `/sources/${OTHER.source}`,
  `/feeds/${OTHER.feed}`,
  `/documents/${OTHER.document}`,
  `/runs/${OTHER.run}`,
  "/sources/nothing",
  "/feeds/feed_00000000000000000000000000",
  "/documents/%00",
  `/runs/${"x".repeat(9000)}`,
  "/no-such-page",
];

test("answers 404 for another workspace's ids, for unknown and for broken ones, on every page", async ({
  page,
}) => {
  await app.signIn(page.context());
  for (const path of PATHS) {
    const answer = await page.goto(`${app.url}${path}`);
    expect(answer?.status(), path.slice(0, 60)).toBe(404);
    await expect(page.getByRole("heading", { name: "There is nothing here" })).toBeVisible();
    await expect(page.getByText("Their")).toHaveCount(0);
    await expect(page).toHaveTitle("Not found · Tidemark");
  }
});

test("shows nothing of another workspace in lists and filters", async ({ page }) => {
  await app.signIn(page.context());
  await page.goto(`${app.url}/runs?feed=${OTHER.feed}`);
  await expect(page.getByText(/no such feed/i)).toBeVisible();
  await page.goto(`${app.url}/sources`);
  await expect(page.getByText("Nothing is connected yet")).toBeVisible();
});

test("answers 404 over REST, whatever is asked of a foreign id", async ({ request }) => {
  const { token } = await mutate<{ token: string }>(app.asOwner, app.url, "tokens.create", {
    name: "everything",
    scopes: ["sources:read", "sources:write", "documents:read", "documents:write", "runs:read", "runs:write"],
  });
  const headers = { Authorization: `Bearer ${token}` };
  const gets = [
    `/sources/${OTHER.source}`,
    `/sources/${OTHER.source}/feeds`,
    `/feeds/${OTHER.feed}`,
    `/feeds/${OTHER.feed}/documents`,
    `/feeds/${OTHER.feed}/rejections`,
    `/feeds/${OTHER.feed}/held-deletes`,
    `/feeds/${OTHER.feed}/cursor-transitions`,
    `/documents/${OTHER.document}`,
    `/runs/${OTHER.run}`,
  ];
  for (const path of gets) {
    const answer = await request.get(`${app.url}/api/v1${path}`, { headers });
    expect(answer.status(), path).toBe(404);
    expect(await answer.text()).not.toContain("Their");
  }
  const posts = [
    `/feeds/${OTHER.feed}/sync`,
    `/feeds/${OTHER.feed}/pause`,
    `/feeds/${OTHER.feed}/documents`,
    `/sources/${OTHER.source}/pause`,
    `/runs/${OTHER.run}/heartbeat`,
  ];
  for (const path of posts) {
    const answer = await request.post(`${app.url}/api/v1${path}`, { headers, data: { documents: [] } });
    expect(answer.status(), path).toBe(404);
  }
});
