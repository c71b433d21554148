import { beforeAll, describe, expect, it } from "vitest";
import type { Caller } from "@/server/actor";
import { newId } from "@/server/ids";
import { ingestDocuments } from "@/server/ingest/ingest-documents";
import { createWorker, setWorker } from "@/server/jobs/worker";
import { bulkSources, listMatchingSources } from "@/server/sources/bulk-sources";
import { useDatabase } from "@/test/database";
import { createCaller, createFeed } from "@/test/factories";
import { anAdapter, createSyncedFeed } from "@/test/run-feed";
import { browseRejections } from "./browse-rejections";
import { bulkFeeds, listMatchingFeeds } from "./bulk-feeds";
import { discardRejections, retryRejections } from "./bulk-rejections";
import { pauseFeed } from "./pause-feed";

const t = useDatabase();
let caller: Caller;

beforeAll(async () => {
  caller = await createCaller(t.db);
});

const states = async (ids: string[]) => {
  const rows = await t.db.feed.findMany({ where: { id: { in: ids } }, select: { id: true, state: true } });
  return ids.map((id) => rows.find((row) => row.id === id)?.state ?? null);
};

describe("acts on many feeds", () => {
  it("pause each like the single act, and name what undoing concerns", async () => {
    const feeds = await Promise.all(Array.from({ length: 4 }, () => createFeed(t.db, caller)));
    const ids = feeds.map((feed) => feed.id);
    await pauseFeed(t.db, caller, { feedId: ids[0] ?? "" });
    await t.db.feed.updateMany({ where: { id: ids[1] }, data: { state: "disabled" } });
    const foreign = await createFeed(t.db, await createCaller(t.db));
    const unknown = newId("feed");

    const done = await bulkFeeds(t.db, caller, {
      feedIds: [...ids, foreign.id, unknown, ids[2] ?? ""],
      action: "pause",
    });
    expect(done).toMatchObject({ succeeded: 3, changed: 2, failed: 3 });
    expect(done.results).toMatchObject([
      { id: ids[0], ok: true, changed: false, before: "paused" },
      { id: ids[1], ok: false, code: "feed_disabled" },
      { id: ids[2], ok: true, changed: true, before: "active" },
      { id: ids[3], ok: true, changed: true },
      { id: foreign.id, ok: false, code: "feed_not_found" },
      { id: unknown, ok: false, code: "feed_not_found" },
    ]);
    expect(await states([foreign.id])).toEqual(["active"]);

    const undo = done.results.filter((item) => item.ok && item.changed).map((item) => item.id);
    await bulkFeeds(t.db, caller, { feedIds: undo, action: "resume" });
    expect(await states(ids)).toEqual(["paused", "disabled", "active", "active"]);
    const audited = await t.db.auditEntry.findMany({
      where: { workspaceId: caller.workspaceId, targetId: { in: undo } },
      select: { action: true },
    });
    expect(audited.map((entry) => entry.action).sort()).toEqual([
      "feed.pause",
      "feed.pause",
      "feed.resume",
      "feed.resume",
    ]);
  });

  it("delete them, documents and all", async () => {
    const feeds = await Promise.all(Array.from({ length: 3 }, () => createFeed(t.db, caller)));
    const feedIds = feeds.map((feed) => feed.id);
    await ingestDocuments(t.db, caller, { feedId: feedIds[0] ?? "", documents: [{ id: "a" }] });
    expect(await bulkFeeds(t.db, caller, { feedIds, action: "delete" })).toMatchObject({
      changed: 3,
      failed: 0,
    });
    expect(await states(feedIds)).toEqual([null, null, null]);
  });

  it("sync: the first have their run at once, the many become due", async () => {
    const own = await createCaller(t.db);
    const adapter = anAdapter(async () => ({ documents: [] }));
    const worker = createWorker(t.db, { adapters: [adapter], concurrency: 0 });
    await worker.drain(); // takes nothing: what is queued stays queued
    setWorker(t.db, worker);
    const feeds = await Promise.all(Array.from({ length: 60 }, () => createSyncedFeed(t.db, own)));
    await t.db.feed.updateMany({
      where: { workspaceId: own.workspaceId },
      data: { nextSyncAt: new Date(Date.now() + 3_600_000) },
    });
    const done = await bulkFeeds(t.db, own, { feedIds: feeds.map((feed) => feed.id), action: "sync" });
    expect(done).toMatchObject({ succeeded: 60, changed: 60 });
    expect(done.results.filter((item) => item.ok && item.runId !== null)).toHaveLength(50);
    expect(
      await t.db.feed.count({ where: { workspaceId: own.workspaceId, nextSyncAt: { lte: new Date() } } }),
    ).toBe(10);
  });

  it("of pushed feeds are refused one by one", async () => {
    const feed = await createFeed(t.db, caller);
    const done = await bulkFeeds(t.db, caller, { feedIds: [feed.id], action: "sync" });
    expect(done.results).toMatchObject([{ ok: false, code: "conflict" }]);
  });
});

describe("all that a filter matches", () => {
  it("are named, but for what is going away", async () => {
    const own = await createCaller(t.db);
    const feeds = await Promise.all(
      Array.from({ length: 3 }, (_, i) => createFeed(t.db, own, { externalKey: `k${i}` })),
    );
    await pauseFeed(t.db, own, { feedId: feeds[0]?.id ?? "" });
    await t.db.feed.updateMany({ where: { id: feeds[1]?.id }, data: { state: "deleting" } });
    const { feeds: found, truncated } = await listMatchingFeeds(t.db, own, {});
    expect(found.map((feed) => feed.name).sort()).toEqual(["k0", "k2"]);
    expect(truncated).toBe(false);
    expect((await listMatchingFeeds(t.db, own, { status: "paused" })).feeds).toHaveLength(1);
    const { sources } = await listMatchingSources(t.db, own, { q: "test" });
    expect(sources).toHaveLength(3);
    const done = await bulkSources(t.db, own, {
      sourceIds: sources.map((source) => source.id),
      action: "pause",
    });
    expect(done).toMatchObject({ changed: 3 });
    expect((await listMatchingSources(t.db, own, { status: "paused" })).sources).toHaveLength(3);
    const gone = await bulkSources(t.db, own, {
      sourceIds: sources.map((source) => source.id),
      action: "delete",
    });
    expect(gone).toMatchObject({ succeeded: 3 });
  });
});

describe("rejected items", () => {
  it("are sent again together, and stay where they are refused again", async () => {
    const feed = await createFeed(t.db, caller);
    await ingestDocuments(t.db, caller, {
      feedId: feed.id,
      documents: [{ id: "x", date: "soon" }, { id: "" }],
    });
    const list = async () => (await browseRejections(t.db, caller, { feedId: feed.id })).items;
    const [first, second] = await list();
    await t.db.rejectedDocument.updateMany({
      where: { id: second?.id },
      data: { payload: { id: "x", title: "mended" } },
    });
    const rejections = [first, second].map((item) => ({ feedId: feed.id, rejectionId: item?.id ?? "" }));
    const done = await retryRejections(t.db, caller, { rejections });
    expect(done).toMatchObject({ changed: 1 });
    const left = await list();
    expect(left).toHaveLength(1);

    const foreign = await createCaller(t.db);
    const away = left.map((item) => ({ feedId: feed.id, rejectionId: item.id }));
    expect(await discardRejections(t.db, foreign, { rejections: away })).toMatchObject({ changed: 0 });
    expect(await discardRejections(t.db, caller, { rejections: away })).toMatchObject({ changed: 1 });
    expect(await list()).toEqual([]);
  });
});
