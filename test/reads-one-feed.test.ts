import { beforeAll, expect, it, vi } from "vitest";
import type { Caller } from "@/server/actor";
import { purgeTombstones } from "@/server/changes/purge-tombstones";
import { createDb, type Db } from "@/server/db";
import { listDocuments } from "@/server/documents/list-documents";
import { deleteFeed } from "@/server/feeds/delete-feed";
import { finishFeedDeletion } from "@/server/feeds/finish-feed-deletion";
import { finishRun } from "@/server/runs/finish-run";
import { startRun } from "@/server/runs/start-run";
import { useDatabase } from "@/test/database";
import { createCaller, createFeed } from "@/test/factories";

/**
 * The indexes by seq are partial (graves have none), so a query that does not say `seq IS NOT NULL`, or
 * compare seq, cannot use them, and reads every document of the workspace instead of its feed's.
 */

const t = useDatabase();
const OTHERS = 20_000;
let caller: Caller;

beforeAll(async () => {
  caller = await createCaller(t.db);
  await aFeedOf(OTHERS);
  await t.db.$executeRaw`ANALYZE documents`;
});

async function aFeedOf(count: number): Promise<string> {
  const { workspaceId } = caller;
  const feed = await createFeed(t.db, caller, { watermark: "none" }, { type: "rss", runsOn: "cloud" });
  await t.db.$executeRaw`
    INSERT INTO documents (workspace_id, id, feed_id, source_id, external_id, title, seq)
    SELECT ${workspaceId}::int, ${feed.id} || n, ${feed.id}, ${feed.sourceId}, n::text, 'Ebb', nextval('document_seq')
      FROM generate_series(1, ${count}::int) n`;
  await t.db.feed.updateMany({ where: { id: feed.id }, data: { documentCount: count } });
  return feed.id;
}

/** Rows of `documents` that the work looked at. Its connections end with it, which publishes their statistics. */
async function rowsReadBy(work: (db: Db) => Promise<unknown>): Promise<number> {
  const read = async () => {
    const [row] = await t.db.$queryRaw<[{ rows: bigint }]>`
      SELECT seq_tup_read + coalesce(idx_tup_fetch, 0) AS rows FROM pg_stat_user_tables WHERE relname = 'documents'`;
    return Number(row.rows);
  };
  const before = await read();
  const db = createDb(t.url, 1);
  await work(db);
  await db.$disconnect();
  await vi.waitFor(async () => expect(await read()).toBeGreaterThan(before), { timeout: 10_000 });
  return (await read()) - before;
}

it.each([
  ["listing them", async (db: Db, feedId: string) => listDocuments(db, caller, { feedId, limit: 5 })],
  ["deleting them", async (db: Db, feedId: string) => deleteFeed(db, caller, { feedId })],
  [
    "ending a sync, which looks at how often it publishes",
    async (db: Db, feedId: string) => {
      const { runId } = await startRun(db, caller, { feedId, trigger: "schedule", executor: "cloud" });
      await finishRun(db, caller, { runId, status: "succeeded" });
    },
  ],
  [
    "ending a complete listing",
    async (db: Db, feedId: string) => {
      const { runId } = await startRun(db, caller, { feedId, trigger: "api", executor: "api" });
      await finishRun(db, caller, { runId, status: "succeeded", complete: true });
    },
  ],
])("reads a feed's documents alone when %s", async (_, work) => {
  const feedId = await aFeedOf(30);
  expect(await rowsReadBy((db) => work(db, feedId))).toBeLessThan(1_000);
});

it("reads each document of a large feed twice when deleting it, not once more for every batch", async () => {
  const feedId = await aFeedOf(5_000); // ten batches
  await t.db.feed.updateMany({ where: { id: feedId }, data: { state: "deleting" } });
  const { workspaceId } = caller;
  const rows = await rowsReadBy((db) => finishFeedDeletion(db, { workspaceId, feedId }));
  expect(rows).toBeLessThan(18_000); // the last look finds the tombstones alone
});

it("reads the tombstones that are due when it purges, and next to nothing when none is", async () => {
  const feedId = await aFeedOf(600);
  // On connections that end: what others read is published a second later, into the next test's count.
  await rowsReadBy((db) => deleteFeed(db, caller, { feedId }));
  expect(await rowsReadBy((db) => purgeTombstones(db))).toBeLessThan(10);
  let due = 0;
  await rowsReadBy(async (db) => {
    due =
      await db.$executeRaw`UPDATE documents SET changed_at = now() - interval '31 days' WHERE state = 'tombstone'`;
  });
  expect(await rowsReadBy((db) => purgeTombstones(db))).toBeLessThan(due * 4);
  let graves = 0;
  await rowsReadBy(async (db) => {
    graves = await db.document.count({ where: { state: "grave" } });
  });
  expect(graves).toBe(due);
});
