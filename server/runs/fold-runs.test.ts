import { describe, expect, it } from "vitest";
import type { Prisma } from "@/server/db";
import { newId } from "@/server/ids";
import { useDatabase } from "@/test/database";
import { createCaller, createFeed } from "@/test/factories";
import { foldRuns } from "./fold-runs";

const t = useDatabase();
const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000);

async function setUp() {
  const caller = await createCaller(t.db);
  const { workspaceId } = caller;
  const { id: feedId, sourceId } = await createFeed(t.db, caller);
  async function addRun(
    finishedAt: Date,
    run: Partial<Prisma.SyncRunUncheckedCreateInput> = {},
  ): Promise<string> {
    const id = newId("run");
    await t.db.syncRun.create({
      data: {
        workspaceId,
        id,
        feedId,
        sourceId,
        status: "succeeded",
        trigger: "schedule",
        executor: "cloud",
        actor: { type: "scheduler" },
        startedAt: finishedAt,
        finishedAt,
        requests: 1,
        bytes: 100n,
        ...run,
      },
    });
    await t.db.runEvent.create({
      data: { workspaceId, runId: id, level: "info", kind: "lifecycle", message: "x" },
    });
    return id;
  }
  const left = async () => (await t.db.syncRun.findMany({ where: { workspaceId } })).map(({ id }) => id);
  return { workspaceId, feedId, addRun, left };
}

describe("folding", () => {
  it("turns uneventful runs older than seven days into one row a day in UTC, events and all", async () => {
    const { workspaceId, feedId, addRun, left } = await setUp();
    // 23:30 and 00:30 UTC are one day in Kathmandu and two here.
    await addRun(new Date("2026-06-13T23:30:00Z"), { finishedAt: dayAt(daysAgo(10), "23:30") });
    await addRun(dayAt(daysAgo(9), "00:30"));
    await addRun(dayAt(daysAgo(9), "12:00"), { bytes: 3_000_000_000n });
    await addRun(dayAt(daysAgo(9), "13:00"), { status: "partial" });
    const young = await addRun(daysAgo(6));
    const result = await foldRuns(t.db);
    expect(result.folded).toBeGreaterThanOrEqual(4);
    await expect(left()).resolves.toEqual([young]);
    const days = await t.db.runDay.findMany({
      where: { workspaceId, feedId },
      orderBy: [{ day: "asc" }, { status: "asc" }],
    });
    expect(days.map(({ status, runs, requests, bytes }) => [status, runs, requests, bytes])).toEqual([
      ["succeeded", 1, 1, 100n],
      ["succeeded", 2, 2, 3_000_000_100n],
      ["partial", 1, 1, 100n],
    ]);
    await expect(t.db.runEvent.count({ where: { workspaceId } })).resolves.toBe(1);

    await addRun(dayAt(daysAgo(9), "15:00"));
    await foldRuns(t.db);
    await expect(t.db.runDay.findFirst({ where: { workspaceId, runs: 3 } })).resolves.toMatchObject({
      requests: 3,
    });
  });

  it.each<[string, Partial<Prisma.SyncRunUncheckedCreateInput>]>([
    ["brought something", { created: 1 }],
    ["deleted something", { deleted: 1 }],
    ["rejected something", { rejected: 1 }],
    ["moved the cursor", { cursorBefore: "1", cursorAfter: "2" }],
    ["warned", { warnings: [{ code: "x", message: "y" }] }],
    ["failed", { status: "failed" }],
  ])("keeps a run that %s", async (_, run) => {
    const { addRun, left } = await setUp();
    const id = await addRun(daysAgo(30), run);
    await foldRuns(t.db);
    await expect(left()).resolves.toEqual([id]);
  });

  it("keeps a run whose held deletes a person may look up", async () => {
    const { workspaceId, feedId, addRun, left } = await setUp();
    const id = await addRun(daysAgo(30));
    await t.db.heldDelete.create({
      data: { workspaceId, id: newId("hold"), feedId, runId: id, count: 3, sample: [], reason: "x" },
    });
    await foldRuns(t.db);
    await expect(left()).resolves.toEqual([id]);
  });
});

it("deletes runs and events after the workspace's retention, whatever they did", async () => {
  const { workspaceId, addRun, left } = await setUp();
  await addRun(daysAgo(91), { created: 5 });
  const kept = await addRun(daysAgo(89), { created: 5 });
  await foldRuns(t.db);
  await expect(left()).resolves.toEqual([kept]);
  await expect(t.db.runEvent.count({ where: { workspaceId } })).resolves.toBe(1);

  await t.db.workspace.update({ where: { id: workspaceId }, data: { runRetentionDays: 30 } });
  await foldRuns(t.db);
  await expect(left()).resolves.toEqual([]);
});

it("clears listing keys of runs that are over, and of no other", async () => {
  const { workspaceId, addRun } = await setUp();
  const over = await addRun(daysAgo(1));
  const active = await addRun(daysAgo(1), { status: "running", finishedAt: null });
  await t.db.runKey.createMany({
    data: [over, active].map((runId) => ({ workspaceId, runId, documentId: "doc_1" })),
  });
  await foldRuns(t.db);
  await expect(t.db.runKey.findMany({ where: { workspaceId }, select: { runId: true } })).resolves.toEqual([
    { runId: active },
  ]);
});

it("stops between batches when told to", async () => {
  const { addRun, left } = await setUp();
  await addRun(daysAgo(30));
  await foldRuns(t.db, { signal: AbortSignal.abort() });
  await expect(left()).resolves.toHaveLength(1);
});

/** That UTC day, at that UTC time. */
function dayAt(date: Date, time: string): Date {
  return new Date(`${date.toISOString().slice(0, 10)}T${time}:00Z`);
}
