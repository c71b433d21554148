import { expect, it } from "vitest";
import { createSubstack } from "@/adapters/substack";
import { COOKIE, fakePublication, numberedPosts } from "@/adapters/substack/fake-publication";
import type { Adapter } from "@/sdk/adapter";
import { saveCredential } from "@/server/vault/credentials";
import { useDatabase } from "@/test/database";
import { createCaller, createFeed } from "@/test/factories";
import { runFeed, useUpstream } from "@/test/run-feed";

const t = useDatabase();
const upstream = useUpstream();
const substack = createSubstack(async () => {}) as Adapter;

/** A publication served on loopback, and a feed that follows it. */
async function setUp(posts = numberedPosts(30)) {
  const publication = fakePublication(posts);
  upstream.answer = publication.handle;
  const caller = await createCaller(t.db);
  const { id: feedId } = await createFeed(
    t.db,
    caller,
    { watermark: "date", externalKey: new URL(upstream.url()).origin },
    { type: "substack", runsOn: "cloud" },
  );
  const run = () => runFeed(t.db, caller, feedId, substack);
  const feedRow = () => t.db.feed.findFirstOrThrow({ where: { id: feedId } });
  return { publication, caller, feedId, run, feedRow };
}

it("reads an archive, then only what is new, and names the feed", async () => {
  const { publication, run, feedRow } = await setUp();
  await expect(run()).resolves.toMatchObject({ status: "succeeded", created: 30, listing: true });
  await expect(feedRow()).resolves.toMatchObject({
    documentCount: 30,
    upstreamTitle: "Tides",
    cursor: "2026-01-30T00:00:00.000Z",
  });
  publication.posts.unshift(...numberedPosts(1, 31));
  await expect(run()).resolves.toMatchObject({ status: "succeeded", created: 1, skipped: 0, warnings: [] });
});

it("stops at a rate limit as partial, and goes on without a hole", async () => {
  const { publication, run, feedRow } = await setUp();
  let budget = 20;
  publication.intercept = (_, response) => {
    if (budget-- > 0) return false;
    response.writeHead(429).end();
    return true;
  };
  await expect(run()).resolves.toMatchObject({ status: "partial", error: { code: "rate_limited" } });
  budget = 1000;
  await t.db.hostCooldown.deleteMany();
  await expect(run()).resolves.toMatchObject({ status: "succeeded" });
  await expect(feedRow()).resolves.toMatchObject({ documentCount: 30 });
});

it("keeps the whole text of a paid post when the reader's cookie is gone; the cookie is in no row", async () => {
  const gold = { id: 1, slug: "gold", audience: "only_paid", body: "<p>All of it</p>" };
  const { publication, caller, feedId, run, feedRow } = await setUp([gold]);
  const credentialId = await saveCredential(t.db, caller.workspaceId, { type: "bearer", token: COOKIE });
  const { sourceId } = await feedRow();
  await t.db.source.updateMany({ where: { id: sourceId }, data: { credentialId } });
  await expect(run()).resolves.toMatchObject({ status: "succeeded", created: 1 });
  expect(publication.requests.every(({ authorization }) => authorization === undefined)).toBe(true);

  await t.db.source.updateMany({ where: { id: sourceId }, data: { credentialId: null } });
  Object.assign(publication.posts[0] ?? {}, { title: "Edited" });
  await expect(run()).resolves.toMatchObject({ status: "succeeded", updated: 0 });
  const document = await t.db.document.findFirstOrThrow({ where: { feedId } });
  expect(document.text).toBe("<p>All of it</p>");
  const rows = await t.db.$queryRaw<{ text: string }[]>`
    SELECT f::text AS text FROM feeds f UNION ALL SELECT e::text FROM run_events e UNION ALL SELECT r::text FROM sync_runs r`;
  expect(rows.filter(({ text }) => text.includes(COOKIE) || text.includes("reader.secret"))).toEqual([]);
});
