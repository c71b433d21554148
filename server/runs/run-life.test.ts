import { describe, expect, it } from "vitest";
import { ingestDocuments } from "@/server/ingest/ingest-documents";
import { useDatabase } from "@/test/database";
import { createCaller, createFeed } from "@/test/factories";
import { createSyncedFeed } from "@/test/run-feed";
import { finishRun } from "./finish-run";
import { heartbeatRun } from "./heartbeat-run";
import { reapRuns } from "./reap-runs";
import { restartRun } from "./restart-run";
import { activateRun, startRun } from "./start-run";

const t = useDatabase();

async function setUp(feed: Parameters<typeof createFeed>[2] = {}) {
  const caller = await createCaller(t.db);
  const { id: feedId } = await createFeed(t.db, caller, feed);
  const start = (input: Partial<Parameters<typeof startRun>[2]> = {}) =>
    startRun(t.db, caller, { feedId, trigger: "api", executor: "api", ...input });
  const run = (runId: string) => t.db.syncRun.findFirstOrThrow({ where: { id: runId } });
  const feedRow = () => t.db.feed.findFirstOrThrow({ where: { id: feedId } });
  const push = (
    runId: string,
    input: { documents?: unknown[]; cursor?: string; cursorBefore?: string | null } = {},
  ) => ingestDocuments(t.db, caller, { feedId, runId, documents: [], ...input });
  return { caller, feedId, start, run, feedRow, push };
}

/** The passing of time, as the database sees it. */
const expireLease = (runId: string) =>
  t.db
    .$executeRaw`UPDATE sync_runs SET lease_expires_at = clock_timestamp() - interval '1 second' WHERE id = ${runId}`;

describe("starting a run", () => {
  it("gives a lease in database time, a deadline and the cursor to go on from", async () => {
    const { start, run } = await setUp({ watermark: "idSet", cursor: "41" });
    const started = await start();
    expect(started.cursor).toBe("41");
    const row = await run(started.runId);
    const [{ now }] = await t.db.$queryRaw<[{ now: Date }]>`SELECT clock_timestamp() AS now`;
    const leaseMs = (row.leaseExpiresAt?.getTime() ?? 0) - now.getTime();
    expect(leaseMs).toBeGreaterThan(50_000);
    expect(leaseMs).toBeLessThanOrEqual(60_000);
    expect(row.leaseExpiresAt).toEqual(started.leaseExpiresAt);
    expect(row.deadlineAt && row.startedAt && row.deadlineAt.getTime() - row.startedAt.getTime()).toBe(
      7_200_000,
    );
    expect(row).toMatchObject({ status: "running", cursorBefore: "41", listing: false });
  });

  it.each([
    ["has no position yet", {}, {}, true],
    ["keeps none at all", { watermark: "none" }, {}, true],
    ["has one but was told to list", { watermark: "idSet", cursor: "41" }, { listing: true }, true],
    ["goes on from a position", { watermark: "idSet", cursor: "41" }, {}, false],
  ] as const)("of a feed that %s decides whether it lists", async (_, feed, input, listing) => {
    const { start, run } = await setUp(feed);
    const { runId } = await start(input);
    await expect(run(runId)).resolves.toMatchObject({ listing });
  });

  it("is refused while another run is active, whose id the error carries", async () => {
    const { start } = await setUp();
    const { runId } = await start();
    await expect(start()).rejects.toMatchObject({ code: "run_active", info: { extra: { runId } } });
  });

  it("succeeds for exactly one of twenty at the same time", async () => {
    const { start } = await setUp();
    const results = await Promise.allSettled(Array.from({ length: 20 }, () => start()));
    const started = results.filter((result) => result.status === "fulfilled");
    expect(started).toHaveLength(1);
    for (const result of results)
      if (result.status === "rejected") expect(result.reason.code).toBe("run_active");
  });

  it.each([
    ["disabled", "feed_disabled"],
    ["deleting", "feed_deleting"],
  ] as const)("is refused on a feed that is %s", async (state, code) => {
    const { start, feedId } = await setUp();
    await t.db.feed.updateMany({ where: { id: feedId }, data: { state } });
    await expect(start()).rejects.toMatchObject({ code });
  });

  it("of another workspace's feed finds nothing", async () => {
    const { feedId } = await setUp();
    const stranger = await createCaller(t.db);
    await expect(startRun(t.db, stranger, { feedId, trigger: "api", executor: "api" })).rejects.toMatchObject(
      { code: "feed_not_found" },
    );
  });

  it("does not wait for the reaper when the earlier run's lease ran out", async () => {
    const { start, run } = await setUp();
    const dead = await start();
    await expireLease(dead.runId);
    const { runId } = await start();
    await expect(run(dead.runId)).resolves.toMatchObject({ status: "abandoned" });
    await expect(run(runId)).resolves.toMatchObject({ status: "running" });
  });
});

describe("a queued run", () => {
  it("has no lease before a worker activates it, and is activated once", async () => {
    const { start, run, caller } = await setUp({ watermark: "idSet", cursor: "7" });
    const { runId, leaseExpiresAt } = await start({ status: "queued", executor: "cloud" });
    expect(leaseExpiresAt).toBeNull();
    const results = await Promise.all(Array.from({ length: 8 }, () => activateRun(t.db, caller, { runId })));
    expect(results.filter(Boolean)).toHaveLength(1);
    await expect(run(runId)).resolves.toMatchObject({
      status: "running",
      cursorBefore: "7",
      leaseExpiresAt: expect.any(Date),
    });
  });

  it("is cancelled instead when its feed was paused meanwhile", async () => {
    const { start, run, caller, feedId } = await setUp();
    const { runId } = await start({ status: "queued", executor: "cloud" });
    await t.db.feed.updateMany({ where: { id: feedId }, data: { state: "paused" } });
    await expect(activateRun(t.db, caller, { runId })).resolves.toBe(false);
    await expect(run(runId)).resolves.toMatchObject({ status: "cancelled" });
  });

  it("is abandoned when no worker takes it, without blaming the feed", async () => {
    const { start, run, feedRow } = await setUp();
    const { runId } = await start({ status: "queued", executor: "cloud" });
    await t.db.$executeRaw`UPDATE sync_runs SET queued_at = now() - interval '2 hours' WHERE id = ${runId}`;
    await reapRuns(t.db);
    await expect(run(runId)).resolves.toMatchObject({ status: "abandoned", error: { code: "not_started" } });
    await expect(feedRow()).resolves.toMatchObject({ consecutiveFailures: 0 });
  });
});

describe("a heartbeat", () => {
  it("renews the lease", async () => {
    const { start, caller } = await setUp();
    const { runId } = await start();
    await expireLease(runId);
    const { leaseExpiresAt } = await heartbeatRun(t.db, caller, { runId });
    expect(leaseExpiresAt.getTime()).toBeGreaterThan(Date.now());
  });

  it("never renews it past the deadline", async () => {
    const { start, caller, run } = await setUp();
    const { runId } = await start();
    await t.db
      .$executeRaw`UPDATE sync_runs SET deadline_at = clock_timestamp() + interval '10 seconds' WHERE id = ${runId}`;
    const { leaseExpiresAt } = await heartbeatRun(t.db, caller, { runId });
    expect(leaseExpiresAt).toEqual((await run(runId)).deadlineAt);
  });

  it("is fenced after the deadline, after the end, and for strangers", async () => {
    const { start, caller } = await setUp();
    const { runId } = await start();
    const stranger = await createCaller(t.db);
    await expect(heartbeatRun(t.db, stranger, { runId })).rejects.toMatchObject({ code: "run_fenced" });
    await t.db
      .$executeRaw`UPDATE sync_runs SET deadline_at = clock_timestamp() - interval '1 second' WHERE id = ${runId}`;
    await expect(heartbeatRun(t.db, caller, { runId })).rejects.toMatchObject({ code: "run_fenced" });
    await finishRun(t.db, caller, { runId, status: "succeeded" });
    await expect(heartbeatRun(t.db, caller, { runId })).rejects.toMatchObject({ code: "run_fenced" });
  });
});

describe("finishing", () => {
  it("ends a run once; the second answer is run_fenced and changes nothing", async () => {
    const { start, caller, run, feedRow } = await setUp();
    const { runId } = await start();
    await finishRun(t.db, caller, { runId, status: "succeeded" });
    const error = { origin: "adapter", code: "x", message: "late", detail: null, retryable: true } as const;
    await expect(finishRun(t.db, caller, { runId, status: "failed", error })).rejects.toMatchObject({
      code: "run_fenced",
    });
    await expect(run(runId)).resolves.toMatchObject({ status: "succeeded", error: null });
    await expect(feedRow()).resolves.toMatchObject({ consecutiveFailures: 0, error: null });
  });

  it("records cursor, times and durations", async () => {
    const { start, caller, run, push, feedRow } = await setUp();
    const { runId } = await start();
    await push(runId, { documents: [{ id: "a" }], cursor: "5", cursorBefore: null });
    await finishRun(t.db, caller, {
      runId,
      status: "succeeded",
      durations: { fetchMs: 1, commitMs: 2, totalMs: 3 },
    });
    const row = await run(runId);
    expect(row).toMatchObject({
      cursorAfter: "5",
      created: 1,
      durations: { totalMs: 3 },
      leaseExpiresAt: null,
    });
    await expect(feedRow()).resolves.toMatchObject({
      lastAttemptAt: row.startedAt,
      lastSuccessAt: row.finishedAt,
    });
  });

  it("keeps the error on run and feed, and its story", async () => {
    const { start, caller, run, feedRow } = await setUp();
    const { runId } = await start();
    const error = {
      origin: "upstream",
      code: "unavailable",
      message: "It is away.",
      detail: "503",
      retryable: true,
    } as const;
    await finishRun(t.db, caller, { runId, status: "failed", error });
    await expect(run(runId)).resolves.toMatchObject({ status: "failed", error });
    await expect(feedRow()).resolves.toMatchObject({
      error: { ...error, at: expect.any(String) },
      consecutiveFailures: 1,
    });
    const events = await t.db.runEvent.findMany({ where: { runId } });
    expect(events).toMatchObject([{ kind: "lifecycle", level: "error", message: "Run failed: It is away." }]);
  });

  it("says that complete counts for nothing in a run that went on from a position", async () => {
    const { start, caller, run } = await setUp({ watermark: "idSet", cursor: "5" });
    const { runId } = await start();
    await finishRun(t.db, caller, { runId, status: "succeeded", complete: true });
    await expect(run(runId)).resolves.toMatchObject({ warnings: [{ code: "complete_ignored" }] });
  });

  it("of a foreign or unknown run is not_found", async () => {
    const { start } = await setUp();
    const { runId } = await start();
    const stranger = await createCaller(t.db);
    await expect(finishRun(t.db, stranger, { runId, status: "succeeded" })).rejects.toMatchObject({
      code: "not_found",
    });
  });

  it("lets a queued run be cancelled, and nothing else", async () => {
    const { start, caller } = await setUp();
    const { runId } = await start({ status: "queued" });
    await expect(finishRun(t.db, caller, { runId, status: "succeeded" })).rejects.toMatchObject({
      code: "run_fenced",
    });
    await expect(finishRun(t.db, caller, { runId, status: "cancelled" })).resolves.toMatchObject({
      status: "cancelled",
    });
  });
});

describe("F36: a process that dies during page 2", () => {
  it("leaves a run that is abandoned when its lease runs out, and whose late push is fenced", async () => {
    const { start, run, push, feedRow, feedId } = await setUp();
    const { runId } = await start();
    await push(runId, { documents: [{ id: "page-1" }], cursor: "1", cursorBefore: null });
    await reapRuns(t.db); // it is alive
    await expect(run(runId)).resolves.toMatchObject({ status: "running" });

    await expireLease(runId);
    await reapRuns(t.db);
    await expect(run(runId)).resolves.toMatchObject({
      status: "abandoned",
      error: { code: "run_abandoned" },
      pages: 1,
    });
    await expect(
      push(runId, { documents: [{ id: "page-2" }], cursor: "2", cursorBefore: "1" }),
    ).rejects.toMatchObject({ code: "run_fenced" });
    await expect(t.db.document.count({ where: { feedId } })).resolves.toBe(1);
    await expect(feedRow()).resolves.toMatchObject({ cursor: "1", consecutiveFailures: 1 });
  });

  it("is synced again within one interval", async () => {
    const caller = await createCaller(t.db);
    const feed = await createSyncedFeed(t.db, caller);
    const { runId } = await startRun(t.db, caller, {
      feedId: feed.id,
      trigger: "schedule",
      executor: "cloud",
    });
    await expireLease(runId);
    await reapRuns(t.db);
    const { nextSyncAt } = await t.db.feed.findFirstOrThrow({ where: { id: feed.id } });
    expect((nextSyncAt?.getTime() ?? Number.POSITIVE_INFINITY) - Date.now()).toBeLessThanOrEqual(60_000);
  });

  it("is abandoned once by two reapers", async () => {
    const { start, feedRow } = await setUp();
    const { runId } = await start();
    await expireLease(runId);
    await Promise.all([reapRuns(t.db), reapRuns(t.db)]);
    await expect(feedRow()).resolves.toMatchObject({ consecutiveFailures: 1 });
  });

  it("is spared when a heartbeat comes first", async () => {
    const { start, run, caller } = await setUp();
    const { runId } = await start();
    await expireLease(runId);
    await heartbeatRun(t.db, caller, { runId });
    await reapRuns(t.db);
    await expect(run(runId)).resolves.toMatchObject({ status: "running" });
  });
});

describe("restarting", () => {
  it("forgets a date or idSet position inside the run, audited, and lists from then on", async () => {
    const { start, caller, run, feedRow, feedId } = await setUp({ watermark: "idSet", cursor: "41" });
    const { runId } = await start();
    await expect(restartRun(t.db, caller, { runId, reason: "410 Gone" })).resolves.toEqual({ cursor: null });
    await expect(run(runId)).resolves.toMatchObject({ restarted: true, listing: true });
    await expect(feedRow()).resolves.toMatchObject({ cursor: null });
    await expect(t.db.cursorTransition.findMany({ where: { feedId } })).resolves.toMatchObject([
      { from: "41", to: null, outcome: "restart", reason: "410 Gone", runId },
    ]);
  });

  it("keeps a forgotten token, because the fresh one replaces it by compare-and-swap", async () => {
    const { start, caller, feedRow, feedId } = await setUp({ watermark: "token", cursor: "old" });
    const { runId } = await start();
    await expect(restartRun(t.db, caller, { runId, reason: "gone" })).resolves.toEqual({ cursor: "old" });
    await expect(feedRow()).resolves.toMatchObject({ cursor: "old" });
    await expect(t.db.cursorTransition.count({ where: { feedId } })).resolves.toBe(0);
  });

  it("drops the adapter's validators, with which the upstream would answer 'not modified'", async () => {
    const { start, caller, feedRow, feedId } = await setUp({
      watermark: "date",
      cursor: "2026-01-01T00:00:00Z",
    });
    await t.db.feed.updateMany({ where: { id: feedId }, data: { adapterState: { etag: '"a"' } } });
    const { runId } = await start();
    await restartRun(t.db, caller, { runId, reason: "gone" });
    await expect(feedRow()).resolves.toMatchObject({ adapterState: null });
  });

  it("happens once per run, and not in a run that is over", async () => {
    const { start, caller } = await setUp({ watermark: "idSet", cursor: "41" });
    const { runId } = await start();
    await restartRun(t.db, caller, { runId, reason: "gone" });
    await expect(restartRun(t.db, caller, { runId, reason: "gone" })).rejects.toMatchObject({
      code: "conflict",
    });
    await finishRun(t.db, caller, { runId, status: "failed" });
    await expect(restartRun(t.db, caller, { runId, reason: "gone" })).rejects.toMatchObject({
      code: "run_fenced",
    });
  });
});
