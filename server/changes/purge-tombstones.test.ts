import pg from "pg";
import { beforeEach, describe, expect, it } from "vitest";
import type { Caller } from "@/server/actor";
import { deleteFeed } from "@/server/feeds/delete-feed";
import { ingestDocuments } from "@/server/ingest/ingest-documents";
import { blockDocument } from "@/test/block-row";
import { useDatabase } from "@/test/database";
import { createCaller, createFeed } from "@/test/factories";
import { purgeTombstones } from "./purge-tombstones";

const t = useDatabase();
let caller: Caller;

beforeEach(async () => {
  // Each test has a workspace of its own, and purge goes by all of them.
  await t.db.$executeRaw`UPDATE workspaces SET retention_days = 3650`;
  caller = await createCaller(t.db);
});

type Item = { id: string; version?: string; deleted?: boolean; title?: string };

const push = (feedId: string, documents: Item[]) =>
  ingestDocuments(t.db, caller, { feedId, documents: documents as never });

/** A feed with `count` tombstones, deleted `days` ago. */
async function aFeedOfTombstones(count: number, days: number) {
  const feed = await createFeed(t.db, caller);
  for (let from = 0; from < count; from += 50) {
    const ids = Array.from({ length: Math.min(50, count - from) }, (_, n) => `d${from + n}`);
    await push(
      feed.id,
      ids.map((id) => ({ id, version: "1", deleted: true })),
    );
  }
  await backdate(feed.id, days);
  return feed;
}

/** As if everything in the feed had changed so long ago. No hour to spare: purge adds one. */
async function backdate(feedId: string, days: number): Promise<void> {
  await t.db.$executeRaw`
    UPDATE documents SET changed_at = now() - make_interval(days => ${days}::int, hours => 2) WHERE feed_id = ${feedId}`;
}

const countOf = (feedId: string, state: "live" | "tombstone" | "grave") =>
  t.db.document.count({ where: { feedId, state } });

async function horizon(): Promise<bigint> {
  return (await t.db.workspace.findUniqueOrThrow({ where: { id: caller.workspaceId } })).horizon;
}

async function highestSeq(feedId: string): Promise<bigint> {
  const { _max } = await t.db.document.aggregate({ where: { feedId }, _max: { seq: true } });
  return _max.seq ?? 0n;
}

it("buries what is older than the retention, puts the horizon at its last, and then has nothing to do", async () => {
  const old = await aFeedOfTombstones(3, 30);
  const top = await highestSeq(old.id);
  const young = await aFeedOfTombstones(2, 29);
  await push(young.id, [{ id: "alive", version: "1", title: "Ebb" }]);

  expect(await purgeTombstones(t.db)).toEqual({ purged: 3, workspaces: 1 });

  const graves = await t.db.document.findMany({ where: { feedId: old.id } });
  expect(graves).toHaveLength(3);
  for (const grave of graves) {
    expect(grave).toMatchObject({
      state: "grave",
      seq: null,
      externalId: null,
      key: null,
      lastRunId: null,
      version: "1",
      deleteKind: "explicit",
    });
    expect(grave.versionOrder?.toString()).toBe("1");
  }
  expect(await countOf(young.id, "tombstone")).toBe(2);
  expect(await countOf(young.id, "live")).toBe(1);
  expect(await horizon()).toBe(top);

  // Every write to the row gives it another xmin.
  const writtenBy = () =>
    t.db.$queryRaw`SELECT xmin::text FROM workspaces WHERE id = ${caller.workspaceId}::int`;
  const before = await writtenBy();
  expect(await purgeTombstones(t.db)).toEqual({ purged: 0, workspaces: 0 });
  expect(await horizon()).toBe(top);
  expect(await writtenBy()).toEqual(before);
});

it("stops before the first tombstone that is not due, so that the horizon covers the purged ones alone", async () => {
  const first = await aFeedOfTombstones(2, 30);
  const between = await aFeedOfTombstones(1, 1);
  const last = await aFeedOfTombstones(2, 30);
  await purgeTombstones(t.db);
  expect(await countOf(first.id, "grave")).toBe(2);
  expect(await countOf(last.id, "grave")).toBe(0);
  expect(await horizon()).toBeLessThan(await highestSeq(between.id));
  await backdate(between.id, 30);
  await purgeTombstones(t.db);
  expect(await countOf(last.id, "grave")).toBe(2);
});

it("never moves the horizon past a change that an open transaction may still commit", async () => {
  const feed = await createFeed(t.db, caller);
  const writer = new pg.Client({ connectionString: t.url });
  await writer.connect();
  await writer.query("BEGIN");
  await writer.query(
    `INSERT INTO documents (workspace_id, id, feed_id, source_id, external_id, title, seq)
     VALUES ($1, 'doc_slow' || $2, $2, $3, 'slow', 'Ebb', nextval('document_seq'))`,
    [caller.workspaceId, feed.id, feed.sourceId],
  );
  const top = await highestSeq((await aFeedOfTombstones(2, 40)).id);

  expect((await purgeTombstones(t.db)).purged).toBe(0);
  expect(await horizon()).toBe(0n);

  await writer.query("COMMIT");
  await writer.end();
  expect((await purgeTombstones(t.db)).purged).toBe(2);
  expect(await horizon()).toBe(top);
  expect(top).toBeGreaterThan(await highestSeq(feed.id));
});

it("buries what a deleted feed left behind", async () => {
  const feed = await createFeed(t.db, caller);
  await push(feed.id, [{ id: "a" }, { id: "b" }]);
  await deleteFeed(t.db, caller, { feedId: feed.id });
  await backdate(feed.id, 31);
  expect(await purgeTombstones(t.db)).toMatchObject({ purged: 2 });
  expect(await countOf(feed.id, "grave")).toBe(2);
});

it("leaves no trace when it is killed between horizon and graves, and the next round goes on", async () => {
  const feed = await aFeedOfTombstones(600, 30);
  const rows = await t.db.document.findMany({ where: { feedId: feed.id }, orderBy: { seq: "asc" } });
  const [inFirst, inSecond] = [rows[499], rows[550]];
  const block = await blockDocument(t.url, inSecond?.id ?? "");
  const dying = purgeTombstones(t.db).catch((error: unknown) => error);
  await block.waitedFor();
  // The second batch has moved the horizon in its transaction and waits for a row.
  expect(await block.killWaiting()).toBe(1);
  expect(await dying).toBeInstanceOf(Error);
  expect(await countOf(feed.id, "grave")).toBe(500);
  expect(await horizon(), "as if the second batch had never begun").toBe(inFirst?.seq);
  await block.release();

  expect(await purgeTombstones(t.db)).toMatchObject({ purged: 100 });
  expect(await horizon()).toBe(rows.at(-1)?.seq);
});

it("gives way to whoever holds a feed for long, and has not failed", async () => {
  const feed = await aFeedOfTombstones(1, 30);
  const holder = new pg.Client({ connectionString: t.url });
  await holder.connect();
  await holder.query("BEGIN");
  await holder.query("SELECT 1 FROM feeds WHERE id = $1 FOR UPDATE", [feed.id]);
  expect(await purgeTombstones(t.db)).toEqual({ purged: 0, workspaces: 1 });
  await holder.end();
  expect(await purgeTombstones(t.db)).toMatchObject({ purged: 1 });
});

it("is done once by several processes at the same time, with writers among them", async () => {
  const feed = await aFeedOfTombstones(1_200, 30);
  const top = await highestSeq(feed.id);
  const reviving = Array.from({ length: 20 }, (_, n) => ({ id: `d${n * 60}`, version: "2", title: "Flood" }));
  const results = await Promise.all([
    purgeTombstones(t.db),
    purgeTombstones(t.db),
    purgeTombstones(t.db),
    ...reviving.map((document) => push(feed.id, [document])),
  ]);
  const purged = results.slice(0, 3).reduce((sum, result) => sum + (result as { purged: number }).purged, 0);
  expect(await countOf(feed.id, "live")).toBe(20);
  expect(await countOf(feed.id, "grave")).toBe(1_180);
  expect(await countOf(feed.id, "tombstone")).toBe(0);
  // A grave that came back was buried before; a tombstone that came back was not.
  expect(purged).toBeGreaterThanOrEqual(1_180);
  expect(purged).toBeLessThanOrEqual(1_200);
  expect(await horizon()).toBeLessThanOrEqual(top);
  const { documentCount } = await t.db.feed.findFirstOrThrow({ where: { id: feed.id } });
  expect(documentCount).toBe(20);
});

it("goes on with other workspaces when one fails, and says that it failed", async () => {
  const bad = await aFeedOfTombstones(1, 40);
  const badWorkspace = caller.workspaceId;
  caller = await createCaller(t.db);
  const good = await aFeedOfTombstones(1, 30);
  await t.db.$executeRawUnsafe(
    `ALTER TABLE workspaces ADD CONSTRAINT kept CHECK (id <> ${badWorkspace} OR horizon = 0)`,
  );
  await expect(purgeTombstones(t.db)).rejects.toThrow("kept");
  expect(await countOf(bad.id, "tombstone")).toBe(1);
  expect(await countOf(good.id, "grave")).toBe(1);
  await t.db.$executeRaw`ALTER TABLE workspaces DROP CONSTRAINT kept`;
});

it("stops between batches when the time is up, after at least one", async () => {
  const feed = await aFeedOfTombstones(600, 30);
  expect(await purgeTombstones(t.db, { budgetMs: 0 })).toMatchObject({ purged: 500 });
  expect(await countOf(feed.id, "tombstone")).toBe(100);
});

describe("a write onto a grave", () => {
  /** One grave, made by `kind` at version `version`. */
  async function aGrave(version: string | undefined, kind: "explicit" | "sweep" = "explicit") {
    const feed = await createFeed(t.db, caller);
    await push(feed.id, [{ id: "x", version, title: "Ebb" }]);
    await push(feed.id, [{ id: "x", version: version && "5", deleted: true }]);
    await t.db.document.updateMany({ where: { feedId: feed.id }, data: { deleteKind: kind } });
    await backdate(feed.id, 31);
    await purgeTombstones(t.db);
    expect(await countOf(feed.id, "grave")).toBe(1);
    return feed.id;
  }

  it.each([
    ["an older upsert", "explicit", { version: "4", title: "Old" }, "grave"],
    ["the delete's own version", "explicit", { version: "5", title: "Old" }, "grave"],
    ["a newer upsert", "explicit", { version: "6", title: "New" }, "live"],
    ["an upsert of a sweep's own version", "sweep", { version: "5", title: "Same" }, "live"],
    ["an upsert older than a sweep", "sweep", { version: "4", title: "Old" }, "grave"],
    ["a delete of the same version", "explicit", { version: "5", deleted: true }, "grave"],
    ["a newer delete", "explicit", { version: "6", deleted: true }, "tombstone"],
  ] as const)("F18: %s onto one made by %s", async (_, kind, item, state) => {
    const feedId = await aGrave("1", kind);
    await push(feedId, [{ id: "x", ...item }]);
    const [row] = await t.db.document.findMany({ where: { feedId } });
    expect(row).toMatchObject({ state, externalId: state === "grave" ? null : "x" });
    const { documentCount } = await t.db.feed.findFirstOrThrow({ where: { id: feedId } });
    expect(documentCount).toBe(state === "live" ? 1 : 0);
  });

  it("without versions revives it", async () => {
    const feedId = await aGrave(undefined);
    expect(await push(feedId, [{ id: "x", deleted: true }])).toMatchObject({ documentsSkipped: 1 });
    expect(await push(feedId, [{ id: "x", title: "Back" }])).toMatchObject({ created: 1 });
    expect(await countOf(feedId, "live")).toBe(1);
  });
});
