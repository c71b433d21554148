import { beforeEach, describe, expect, it } from "vitest";
import type { Caller } from "@/server/actor";
import type { Prisma } from "@/server/db";
import { readFeedHistory } from "@/server/feeds/feed-history";
import { newId } from "@/server/ids";
import { ingestDocuments } from "@/server/ingest/ingest-documents";
import { useDatabase } from "@/test/database";
import { createCaller, createFeed } from "@/test/factories";
import { getCharts } from "./get-charts";
import { getOverview } from "./get-overview";

const t = useDatabase();
let caller: Caller;

beforeEach(async () => {
  caller = await createCaller(t.db);
});

/** Noon UTC so many days ago; never after now. */
function noon(daysAgo: number): Date {
  const day = new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10);
  return new Date(Math.min(Date.parse(`${day}T12:00:00Z`), Date.now()));
}
const dayOf = (daysAgo: number) => new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10);

async function addRun(
  feed: { id: string; sourceId: string },
  run: Partial<Prisma.SyncRunUncheckedCreateInput>,
) {
  await t.db.syncRun.create({
    data: {
      workspaceId: caller.workspaceId,
      id: newId("run"),
      feedId: feed.id,
      sourceId: feed.sourceId,
      status: "succeeded",
      trigger: "schedule",
      executor: "cloud",
      actor: { type: "scheduler" },
      ...run,
    },
  });
}

const failing = (code: string) => ({
  failingSince: new Date("2026-06-14T09:00:00Z"),
  error: { origin: "upstream", code, message: `no: ${code}`, retryable: true, detail: null, at: "" },
});

describe("health", () => {
  it("teaches when nothing is connected", async () => {
    expect((await getOverview(t.db, caller)).health).toMatchObject({
      level: "empty",
      feeds: 0,
      documents: 0,
    });
  });

  it("says in one sentence that all is well", async () => {
    await createFeed(t.db, caller);
    expect((await getOverview(t.db, caller)).health).toMatchObject({
      level: "good",
      sentence: "The feed is in sync.",
    });
    await createFeed(t.db, caller);
    expect((await getOverview(t.db, caller)).health.sentence).toBe("All 2 feeds are in sync.");
  });

  it("counts what needs someone, each feed once", async () => {
    const feeds = await Promise.all(Array.from({ length: 20 }, () => createFeed(t.db, caller)));
    await t.db.feed.updateMany({
      where: { id: feeds[0]?.id },
      data: failing("forbidden") as Prisma.FeedUpdateInput,
    });
    await t.db.feed.updateMany({ where: { id: feeds[1]?.id }, data: { state: "needs_reconnect" } });
    const { health } = await getOverview(t.db, caller);
    expect(health).toMatchObject({ level: "bad", byStatus: { failing: 1, needs_reconnect: 1, active: 18 } });
    expect(health.sentence).toBe("2 of 20 feeds need attention; the others are in sync.");
  });
});

describe("attention", () => {
  it("is grouped by cause, the worst first, with what to do", async () => {
    const feeds = await Promise.all(Array.from({ length: 8 }, () => createFeed(t.db, caller)));
    const set = (i: number, data: Prisma.FeedUpdateManyMutationInput) =>
      t.db.feed.updateMany({ where: { workspaceId: caller.workspaceId, id: feeds[i]?.id }, data });
    await set(0, failing("forbidden") as Prisma.FeedUpdateManyMutationInput);
    await set(1, { ...(failing("forbidden") as Prisma.FeedUpdateManyMutationInput), name: "Slow Boat" });
    await set(2, { rateLimitedUntil: new Date(Date.now() + 3_600_000) });
    await set(3, { state: "paused", pausedBy: "failures" });
    await set(4, { state: "paused", pausedBy: "person" });
    await set(5, { state: "deleting", ...(failing("gone") as Prisma.FeedUpdateManyMutationInput) });
    await ingestDocuments(t.db, caller, { feedId: feeds[6]?.id ?? "", documents: [{ id: "" }] });
    const { attention } = await getOverview(t.db, caller);
    expect(attention.map(({ cause, count, severity }) => [cause, count, severity])).toEqual([
      ["failing:forbidden", 2, "error"],
      ["paused_by_failures", 1, "error"],
      ["rate_limited", 1, "notice"],
      ["rejections", 1, "notice"],
    ]);
    expect(attention[0]).toMatchObject({
      title: "2 feeds are refused by their sites",
      action: { kind: "look", bulk: "sync" },
      feedIds: [feeds[0]?.id, feeds[1]?.id].sort(),
    });
    expect(attention[0]?.feeds).toContainEqual({
      feedId: feeds[1]?.id,
      name: "Slow Boat",
      sourceId: feeds[1]?.sourceId,
      sourceName: "Test source",
      since: "2026-06-14T09:00:00.000Z",
      message: "no: forbidden",
    });
  });
});

describe("charts", () => {
  it("sum documents and outcomes by UTC day, folded days too, and measure those that read", async () => {
    const feed = await createFeed(t.db, caller);
    const end = noon(3);
    for (const [i, seconds] of [1, 2, 3, 4, 100].entries()) {
      await addRun(feed, {
        startedAt: new Date(end.getTime() - seconds * 1000),
        finishedAt: end,
        created: 10,
        updated: 2,
        deleted: i,
        status: i === 4 ? "abandoned" : "succeeded",
      });
    }
    await addRun(feed, { startedAt: end, finishedAt: end, executor: "api", created: 5 });
    await addRun(feed, { startedAt: noon(31), finishedAt: noon(31), created: 1_000 });
    await t.db.runDay.create({
      data: {
        workspaceId: caller.workspaceId,
        feedId: feed.id,
        day: new Date(`${dayOf(10)}T00:00:00Z`),
        status: "succeeded",
        runs: 24,
        requests: 24,
        bytes: 0n,
      },
    });
    const { days } = await getCharts(t.db, caller);
    expect(days).toHaveLength(30);
    expect(days.map((day) => day.day)).toEqual(Array.from({ length: 30 }, (_, i) => dayOf(29 - i)));
    expect(days[26]).toEqual({
      day: dayOf(3),
      documents: { created: 55, updated: 10, deleted: 10 },
      runs: { succeeded: 5, partial: 0, failed: 1, cancelled: 0 },
      durations: { p50Ms: 3000, p95Ms: 80_800 },
    });
    expect(days[19]).toMatchObject({ runs: { succeeded: 24 }, durations: null });
    expect(days.reduce((sum, day) => sum + day.documents.created, 0)).toBe(55);

    const [history] = await readFeedHistory(t.db, caller, { feedIds: [feed.id, newId("feed")] });
    expect(history?.days).toHaveLength(30);
    expect(history?.days[26]).toEqual({
      day: dayOf(3),
      succeeded: 5,
      partial: 0,
      failed: 1,
      cancelled: 0,
      changes: 75,
    });
    expect(history?.days[19]).toMatchObject({ succeeded: 24, changes: 0 });
  });
});

describe("the ingest rate", () => {
  it("spreads a long run over its minutes and leaves out what was before", async () => {
    const feed = await createFeed(t.db, caller);
    const now = Date.now();
    await addRun(feed, {
      startedAt: new Date(now - 20 * 60_000),
      finishedAt: new Date(now - 10 * 60_000),
      created: 600,
    });
    await addRun(feed, {
      startedAt: new Date(now - 90 * 60_000),
      finishedAt: new Date(now - 80 * 60_000),
      created: 600,
    });
    const { ingest } = await getOverview(t.db, caller);
    expect(ingest.minutes).toHaveLength(60);
    expect(ingest.documentsLastHour).toBe(600);
    expect(Math.max(...ingest.minutes.map((minute) => minute.created))).toBeLessThanOrEqual(61);
  });
});

describe("activity", () => {
  it("tells runs that did something and what people did, the latest first", async () => {
    const feed = await createFeed(t.db, caller);
    await addRun(feed, { startedAt: noon(1), finishedAt: noon(1) });
    await addRun(feed, { startedAt: noon(2), finishedAt: noon(2), created: 3 });
    await t.db.auditEntry.create({
      data: {
        workspaceId: caller.workspaceId,
        id: newId("aud"),
        actor: caller.actor,
        action: "feed.pause",
        targetId: feed.id,
      },
    });
    const { activity } = await getOverview(t.db, caller);
    expect(activity).toMatchObject([
      { type: "act", action: "feed.pause", targetId: feed.id, targetName: "default" },
      { type: "run", created: 3, feedName: "default" },
    ]);
  });
});
