import { describe, expect, it, vi } from "vitest";
import { createWorker, setWorker } from "@/server/jobs/worker";
import { useDatabase } from "@/test/database";
import { createCaller, createFeed } from "@/test/factories";
import { anAdapter, createSyncedFeed } from "@/test/run-feed";
import { requestSync, waitForRun } from "./request-sync";
import { startRun } from "./start-run";

const t = useDatabase();

/** An adapter that waits until the test lets it go on. */
function aGate() {
  let open = () => {};
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  let calls = 0;
  const adapter = anAdapter(async () => {
    calls += 1;
    await gate;
    return { documents: [{ id: "a" }] };
  });
  return { adapter, open: () => open(), calls: () => calls };
}

async function setUp() {
  const gate = aGate();
  const worker = createWorker(t.db, { adapters: [gate.adapter] });
  setWorker(t.db, worker);
  const caller = await createCaller(t.db);
  const { id: feedId } = await createSyncedFeed(t.db, caller);
  return { ...gate, worker, caller, feedId };
}

describe("sync now", () => {
  it("queues a run that this process executes without a scheduler, and joins it when asked again", async () => {
    const { caller, feedId, open, calls, worker } = await setUp();
    const first = await requestSync(t.db, caller, { feedId });
    expect(first.joined).toBe(false);
    const joined = await Promise.all(Array.from({ length: 5 }, () => requestSync(t.db, caller, { feedId })));
    expect(joined).toEqual(Array(5).fill({ runId: first.runId, joined: true }));
    await expect(waitForRun(t.db, caller, first.runId, 0)).resolves.toMatch(/queued|running/);

    const ended = waitForRun(t.db, caller, first.runId, 20_000);
    open();
    await expect(ended).resolves.toBe("succeeded");
    await worker.idle();
    expect(calls()).toBe(1);
    const run = await t.db.syncRun.findFirstOrThrow({ where: { id: first.runId } });
    expect(run).toMatchObject({ trigger: "manual", executor: "cloud", actor: caller.actor, created: 1 });
  });

  it("asked twenty times at once makes one run", async () => {
    const { caller, feedId, open, worker } = await setUp();
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => requestSync(t.db, caller, { feedId })),
    );
    expect(new Set(answers.map(({ runId }) => runId)).size).toBe(1);
    expect(answers.filter(({ joined }) => !joined)).toHaveLength(1);
    open();
    await worker.idle();
  });

  it("finds room while slow upstreams hold every other place", async () => {
    const { caller, adapter, open, calls } = await setUp();
    const worker = createWorker(t.db, { adapters: [adapter], concurrency: 1 });
    setWorker(t.db, worker);
    const [slow, waiting, wanted] = await Promise.all(
      ["slow", "waiting", "wanted"].map((externalKey) => createSyncedFeed(t.db, caller, { externalKey })),
    );
    for (const feed of [slow, waiting]) {
      await startRun(t.db, caller, {
        feedId: feed?.id ?? "",
        trigger: "schedule",
        executor: "cloud",
        status: "queued",
      });
      await worker.tick();
    }
    const { runId } = await requestSync(t.db, caller, { feedId: wanted?.id ?? "" });
    await vi.waitFor(() => expect(calls()).toBe(2), { timeout: 20_000 });
    const statuses = await t.db.syncRun.findMany({
      where: { workspaceId: caller.workspaceId },
      select: { status: true, feedId: true },
    });
    expect(statuses.find(({ feedId }) => feedId === waiting?.id)?.status).toBe("queued");
    await expect(waitForRun(t.db, caller, runId, 0)).resolves.toBe("running");
    open();
    await worker.idle();
    await expect(waitForRun(t.db, caller, runId, 0)).resolves.toBe("succeeded");
  });

  it("joins a run that someone else executes", async () => {
    const { caller, feedId } = await setUp();
    const { runId } = await startRun(t.db, caller, { feedId, trigger: "schedule", executor: "cloud" });
    await expect(requestSync(t.db, caller, { feedId })).resolves.toEqual({ runId, joined: true });
  });

  it("left queued by a process that died is executed by the next one that ticks", async () => {
    const { caller, feedId, worker, open } = await setUp();
    const { runId } = await startRun(t.db, caller, {
      feedId,
      trigger: "manual",
      executor: "cloud",
      status: "queued",
    });
    open();
    await expect(worker.tick()).resolves.toBeGreaterThanOrEqual(1);
    await worker.idle();
    await expect(waitForRun(t.db, caller, runId, 0)).resolves.toBe("succeeded");
  });

  it.each([
    ["paused", "conflict"],
    ["disabled", "feed_disabled"],
    ["deleting", "feed_deleting"],
  ] as const)("is refused on a %s feed", async (state, code) => {
    const { caller, feedId } = await setUp();
    await t.db.feed.updateMany({ where: { id: feedId }, data: { state } });
    await expect(requestSync(t.db, caller, { feedId })).rejects.toMatchObject({ code });
  });

  it.each([
    ["only takes pushes", { type: "api", runsOn: "api" }],
    ["an agent syncs", { type: "scripted", runsOn: "agent" }],
    ["has no adapter here", { type: "nonesuch", runsOn: "cloud" }],
  ] as const)("is refused on a feed that %s", async (_, source) => {
    const { caller } = await setUp();
    const { id: feedId } = await createFeed(t.db, caller, {}, source);
    await expect(requestSync(t.db, caller, { feedId })).rejects.toMatchObject({ code: "conflict" });
  });

  it("of another workspace's feed or run finds nothing", async () => {
    const { caller, feedId } = await setUp();
    const stranger = await createCaller(t.db);
    await expect(requestSync(t.db, stranger, { feedId })).rejects.toMatchObject({ code: "feed_not_found" });
    const { runId } = await startRun(t.db, caller, { feedId, trigger: "api", executor: "api" });
    await expect(waitForRun(t.db, stranger, runId, 1_000)).rejects.toMatchObject({ code: "not_found" });
  });
});

describe("waiting for a run", () => {
  it("ends when the caller goes away", async () => {
    const { caller, feedId } = await setUp();
    const { runId } = await startRun(t.db, caller, { feedId, trigger: "api", executor: "api" });
    const gone = new AbortController();
    const waiting = waitForRun(t.db, caller, runId, 25_000, gone.signal);
    gone.abort();
    await expect(waiting).resolves.toBe("running");
  });
});
