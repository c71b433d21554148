import { expect, it } from "vitest";
import { type Page, UpstreamError } from "@/sdk/adapter";
import { ingestDocuments } from "@/server/ingest/ingest-documents";
import { useDatabase } from "@/test/database";
import { createCaller } from "@/test/factories";
import { anAdapter, createSyncedFeed, runFeed } from "@/test/run-feed";
import { executeRun } from "./execute-run";
import { finishRun } from "./finish-run";
import { reapRuns } from "./reap-runs";
import { startRun } from "./start-run";

const t = useDatabase();

const items = (count: number, from = 0) =>
  Array.from({ length: count }, (_, i) => ({ id: `item-${from + i}`, title: `Item ${from + i}` }));
/** A folder without a position: each run lists all of it, in pages of 100. */
const listing = (documents: () => Page["documents"]) =>
  anAdapter(
    async function* () {
      const all = documents();
      for (let start = 0; start === 0 || start < all.length; start += 100) {
        yield { documents: all.slice(start, start + 100), complete: start + 100 >= all.length };
      }
    },
    { watermark: "none" },
  );

async function setUp(count: number) {
  const caller = await createCaller(t.db);
  const { id: feedId } = await createSyncedFeed(t.db, caller, { watermark: "none" });
  await runFeed(
    t.db,
    caller,
    feedId,
    listing(() => items(count)),
  );
  const countOf = (state: "live" | "tombstone") => t.db.document.count({ where: { feedId, state } });
  return { caller, feedId, countOf };
}

it("sweeps what a complete listing no longer brings", async () => {
  const { caller, feedId, countOf } = await setUp(120);
  const run = await runFeed(
    t.db,
    caller,
    feedId,
    listing(() => items(115)),
  );
  expect(run).toMatchObject({ status: "succeeded", deleted: 5, skipped: 115 });
  await expect(countOf("live")).resolves.toBe(115);
  await expect(t.db.feed.findFirst({ where: { id: feedId } })).resolves.toMatchObject({ documentCount: 115 });
  await expect(t.db.runKey.count()).resolves.toBe(0);
});

it("F17: a listing of 1,000 that throws after nothing deletes nothing; an empty success is held", async () => {
  const { caller, feedId, countOf } = await setUp(1_000);
  const broken = anAdapter(
    async () => {
      throw new UpstreamError("unavailable", "The server there has a problem.", {
        retryable: true,
        status: 500,
      });
    },
    { watermark: "none" },
  );
  await expect(runFeed(t.db, caller, feedId, broken)).resolves.toMatchObject({
    status: "failed",
    deleted: 0,
  });
  await expect(countOf("tombstone")).resolves.toBe(0);

  const empty = await runFeed(
    t.db,
    caller,
    feedId,
    listing(() => []),
  );
  expect(empty).toMatchObject({ status: "succeeded", deleted: 0, warnings: [{ code: "sweep_held" }] });
  await expect(countOf("live")).resolves.toBe(1_000);
  await expect(t.db.heldDelete.findMany({ where: { feedId } })).resolves.toMatchObject([
    { runId: empty.id, count: 1_000, status: "held" },
  ]);
});

it("a listing that breaks off after some pages deletes nothing, however much it lacks", async () => {
  const { caller, feedId, countOf } = await setUp(120);
  const half = anAdapter(
    async function* () {
      yield { documents: items(100) };
      throw new UpstreamError("too_slow", "It did not finish.", { retryable: true });
    },
    { watermark: "none" },
  );
  await expect(runFeed(t.db, caller, feedId, half)).resolves.toMatchObject({ status: "failed" });
  await expect(countOf("tombstone")).resolves.toBe(0);
});

it.each(["failed", "partial", "cancelled"] as const)(
  "a %s run deletes nothing although its executor calls it complete",
  async (status) => {
    const { caller, feedId, countOf } = await setUp(60);
    const { runId } = await startRun(t.db, caller, { feedId, trigger: "api", executor: "agent" });
    await ingestDocuments(t.db, caller, { feedId, runId, documents: items(50) });
    await finishRun(t.db, caller, { runId, status, complete: true });
    await expect(countOf("tombstone")).resolves.toBe(0);
  },
);

it("a crash between two listing runs sweeps nothing: evidence is never shared between runs", async () => {
  const { caller, feedId, countOf } = await setUp(60);
  // Dies after its first page, without a word.
  const dead = await startRun(t.db, caller, { feedId, trigger: "schedule", executor: "cloud" });
  await ingestDocuments(t.db, caller, { feedId, runId: dead.runId, documents: items(50) });
  await t.db
    .$executeRaw`UPDATE sync_runs SET lease_expires_at = now() - interval '1 second' WHERE id = ${dead.runId}`;
  await reapRuns(t.db);
  await expect(t.db.runKey.count({ where: { runId: dead.runId } })).resolves.toBe(0);

  // The next one is cut short after the other half: together they would look complete.
  const cut = anAdapter(
    async function* () {
      yield { documents: items(10, 50) };
      throw new Error("cut");
    },
    { watermark: "none" },
  );
  await runFeed(t.db, caller, feedId, cut);
  await expect(countOf("tombstone")).resolves.toBe(0);
  await expect(countOf("live")).resolves.toBe(60);
});

it("spares a push that lands during a complete listing", async () => {
  const { caller, feedId, countOf } = await setUp(60);
  const adapter = anAdapter(
    async function* () {
      yield { documents: items(40) };
      await ingestDocuments(t.db, caller, {
        feedId,
        documents: [{ id: "pushed" }, { id: "item-55", title: "edited meanwhile" }],
      });
      yield { documents: items(18, 40), complete: true };
    },
    { watermark: "none" },
  );
  await expect(runFeed(t.db, caller, feedId, adapter)).resolves.toMatchObject({
    status: "succeeded",
    deleted: 2,
  });
  const pushed = await t.db.document.findMany({
    where: { feedId, externalId: { in: ["pushed", "item-55"] } },
    select: { state: true },
  });
  expect(pushed).toEqual([{ state: "live" }, { state: "live" }]);
  await expect(countOf("live")).resolves.toBe(59);
});

it("lets rejections stand in no listing's way: a refused item is not gone", async () => {
  const { caller, feedId, countOf } = await setUp(60);
  const spoilt = items(60).map((item, i) => (i === 3 ? { ...item, date: "not a date" } : item));
  await expect(
    runFeed(
      t.db,
      caller,
      feedId,
      listing(() => spoilt),
    ),
  ).resolves.toMatchObject({ rejected: 1, deleted: 0 });
  await expect(countOf("live")).resolves.toBe(60);
});

it("a run told to list begins at the beginning, without validators, and its end counts", async () => {
  const caller = await createCaller(t.db);
  const { id: feedId } = await createSyncedFeed(t.db, caller, { watermark: "token" });
  const seen: unknown[] = [];
  let documents = items(60);
  const adapter = anAdapter(
    async ({ cursor, feed }) => {
      seen.push([cursor.type, feed.state]);
      return {
        documents,
        cursor: { type: "token", value: `t${seen.length}` },
        state: { etag: "x" },
        complete: true,
      };
    },
    { watermark: "token" },
  );
  await runFeed(t.db, caller, feedId, adapter);
  documents = items(58);
  const run = await runFeed(t.db, caller, feedId, adapter, { listing: true });
  expect(seen).toEqual([
    ["none", null],
    ["none", null],
  ]);
  expect(run).toMatchObject({
    status: "succeeded",
    listing: true,
    deleted: 2,
    cursorBefore: "t1",
    cursorAfter: "t2",
    warnings: [],
  });
});

it("an incremental run's complete counts for nothing", async () => {
  const caller = await createCaller(t.db);
  const { id: feedId } = await createSyncedFeed(t.db, caller, { watermark: "token", cursor: "t0" });
  await ingestDocuments(t.db, caller, { feedId, documents: items(50) });
  const adapter = anAdapter(async () => ({ documents: items(1), complete: true }), { watermark: "token" });
  await expect(runFeed(t.db, caller, feedId, adapter)).resolves.toMatchObject({
    deleted: 0,
    warnings: [{ code: "complete_ignored" }],
  });
});

it("a complete listing that lost its lease sweeps nothing", async () => {
  const { caller, feedId, countOf } = await setUp(60);
  const { runId } = await startRun(t.db, caller, { feedId, trigger: "manual", executor: "cloud" });
  const adapter = anAdapter(
    async function* () {
      yield { documents: items(50), complete: true };
      await t.db
        .$executeRaw`UPDATE sync_runs SET lease_expires_at = now() - interval '1 second' WHERE id = ${runId}`;
      await reapRuns(t.db);
    },
    { watermark: "none" },
  );
  const status = await executeRun(
    t.db,
    { workspaceId: caller.workspaceId, runId },
    { getAdapter: () => adapter },
  );
  expect(status).toBe("fenced");
  await expect(countOf("tombstone")).resolves.toBe(0);
});
