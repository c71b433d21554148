import { expect, it, vi } from "vitest";
import type { Caller } from "@/server/actor";
import { createDb } from "@/server/db";
import { startRun } from "@/server/runs/start-run";
import { useDatabase } from "@/test/database";
import { createCaller, createFeed } from "@/test/factories";
import { anAdapter } from "@/test/run-feed";
import { claimDueFeeds, measureDueFeeds } from "./claim-due-feeds";
import { createWorker } from "./worker";

const t = useDatabase();

/** Each test has a type of its own, so that it claims its own feeds alone. */
let types = 0;
async function createDueFeed(caller: Caller, type: string, externalKey = "default") {
  const feed = await createFeed(t.db, caller, { watermark: "date", externalKey }, { type, runsOn: "cloud" });
  await t.db.feed.updateMany({ where: { id: feed.id }, data: { nextSyncAt: new Date(Date.now() - 60_000) } });
  return feed;
}
async function setUp() {
  types += 1;
  const type = `claim-${types}`;
  const caller = await createCaller(t.db);
  return { caller, type, feed: await createDueFeed(caller, type) };
}

it("gives 50 due feeds exactly 50 runs when two processes tick at the same time", async () => {
  const { caller, type, feed } = await setUp();
  const feeds = [feed];
  for (let i = 1; i < 50; i += 1) feeds.push(await createDueFeed(caller, type, `feed-${i}`));
  const other = createDb(t.url, 24);
  const calls = new Map<string, number>();
  const adapter = anAdapter(
    async ({ feed: { id } }) => {
      calls.set(id, (calls.get(id) ?? 0) + 1);
      return { documents: [{ id: "a" }] };
    },
    { type },
  );
  try {
    const workers = [t.db, other].map((db) => createWorker(db, { adapters: [adapter], concurrency: 30 }));
    await Promise.all(workers.map((worker) => worker.tick()));
    // Whoever has room again takes what is still queued, as in the loop.
    await Promise.all(workers.map((worker) => worker.idle()));
  } finally {
    await other.$disconnect();
  }
  const runs = await t.db.syncRun.findMany({ where: { workspaceId: caller.workspaceId } });
  expect(runs).toHaveLength(50);
  expect(new Set(runs.map(({ feedId }) => feedId)).size).toBe(50);
  expect(runs.every(({ status }) => status === "succeeded")).toBe(true);
  expect([...calls.values()]).toEqual(Array(50).fill(1));
});

it("takes the next feeds instead of waiting for those a rival holds", async () => {
  const { caller, type, feed } = await setUp();
  const second = await createDueFeed(caller, type, "second");
  const claimed = await t.db.$transaction(async (tx) => {
    await tx.$queryRaw`SELECT 1 FROM feeds WHERE id = ${feed.id} FOR UPDATE`;
    return claimDueFeeds(t.db, { types: [type], limit: 10 });
  });
  expect(claimed).toHaveLength(1);
  await expect(t.db.syncRun.findFirst({ where: { id: claimed[0]?.runId } })).resolves.toMatchObject({
    feedId: second.id,
    status: "queued",
    trigger: "schedule",
    executor: "cloud",
    actor: { type: "scheduler" },
  });
});

it.each([
  ["is paused", (id: string) => t.db.feed.updateMany({ where: { id }, data: { state: "paused" } })],
  [
    "needs a reconnect",
    (id: string) => t.db.feed.updateMany({ where: { id }, data: { state: "needs_reconnect" } }),
  ],
  [
    "is not due yet",
    (id: string) =>
      t.db.feed.updateMany({ where: { id }, data: { nextSyncAt: new Date(Date.now() + 60_000) } }),
  ],
  ["is never due", (id: string) => t.db.feed.updateMany({ where: { id }, data: { nextSyncAt: null } })],
  [
    "has a paused source",
    (id: string) => t.db.source.updateMany({ where: { feeds: { some: { id } } }, data: { state: "paused" } }),
  ],
  [
    "belongs to an agent",
    (id: string) => t.db.source.updateMany({ where: { feeds: { some: { id } } }, data: { runsOn: "agent" } }),
  ],
  [
    "has no adapter here",
    (id: string) => t.db.source.updateMany({ where: { feeds: { some: { id } } }, data: { type: "unknown" } }),
  ],
] as const)("leaves a feed alone that %s", async (_, change) => {
  const { type, feed } = await setUp();
  await expect(measureDueFeeds(t.db, [type])).resolves.toMatchObject({ count: 1 });
  await change(feed.id);
  await expect(measureDueFeeds(t.db, [type])).resolves.toEqual({ count: 0, seconds: 0 });
  await expect(claimDueFeeds(t.db, { types: [type], limit: 10 })).resolves.toEqual([]);
});

it("leaves a feed alone that has a run already", async () => {
  const { caller, type, feed } = await setUp();
  await startRun(t.db, caller, { feedId: feed.id, trigger: "manual", executor: "cloud" });
  await expect(claimDueFeeds(t.db, { types: [type], limit: 10 })).resolves.toEqual([]);
});

it("takes the longest overdue first and no more than asked", async () => {
  const { caller, type, feed } = await setUp();
  const older = await createDueFeed(caller, type, "older");
  await t.db.feed.updateMany({
    where: { id: older.id },
    data: { nextSyncAt: new Date(Date.now() - 3_600_000) },
  });
  const [claimed, ...more] = await claimDueFeeds(t.db, { types: [type], limit: 1 });
  expect(more).toEqual([]);
  await expect(t.db.syncRun.findFirst({ where: { id: claimed?.runId } })).resolves.toMatchObject({
    feedId: older.id,
  });
  await expect(measureDueFeeds(t.db, [type])).resolves.toMatchObject({ count: 1 });
  expect(feed.id).not.toBe(older.id);
});

it("tries a run that cannot be taken once a round, not as fast as it can", async () => {
  const { caller, type, feed } = await setUp();
  // Its feed is not to be found, so activating it throws.
  const { runId } = await startRun(t.db, caller, {
    feedId: feed.id,
    trigger: "manual",
    executor: "cloud",
    status: "queued",
  });
  await t.db.syncRun.updateMany({ where: { id: runId }, data: { feedId: "feed_gone" } });
  const transaction = vi.spyOn(t.db, "$transaction");
  const worker = createWorker(t.db, { adapters: [anAdapter(async () => ({ documents: [] }), { type })] });
  await expect(worker.tick()).resolves.toBe(1); // the due feed's own run
  await worker.idle();
  const runs = transaction.mock.calls.length;
  transaction.mockRestore();
  await worker.stop();
  expect(runs).toBeLessThan(20);
});
