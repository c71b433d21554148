import { beforeEach, describe, expect, it } from "vitest";
import { UpstreamError } from "@/sdk/adapter";
import type { Caller } from "@/server/actor";
import { pauseFeed } from "@/server/feeds/pause-feed";
import { resumeFeed } from "@/server/feeds/resume-feed";
import { ingestDocuments } from "@/server/ingest/ingest-documents";
import { finishRun } from "@/server/runs/finish-run";
import { reapRuns } from "@/server/runs/reap-runs";
import { startRun } from "@/server/runs/start-run";
import { pauseSource } from "@/server/sources/pause-source";
import { useDatabase } from "@/test/database";
import { createCaller, createFeed } from "@/test/factories";
import { anAdapter, createSyncedFeed, runFeed } from "@/test/run-feed";
import { waitUntil } from "@/test/wait-until";
import { WEBHOOK_EVENTS } from "./choices";
import { createEndpoint } from "./create-endpoint";
import { recordEvent } from "./record-event";
import { updateEndpoint } from "./update-endpoint";

const t = useDatabase();
let caller: Caller;
let webhookId: string;

beforeEach(async () => {
  caller = await createCaller(t.db);
  const made = await createEndpoint(t.db, caller, {
    url: "https://example.org/hook",
    events: [...WEBHOOK_EVENTS],
  });
  webhookId = made.id;
});

/** The bodies that wait to be sent, oldest first. */
async function told() {
  const rows = await t.db.webhookDelivery.findMany({
    where: { workspaceId: caller.workspaceId },
    orderBy: { id: "asc" },
  });
  return rows.map(({ type, body }) => ({ ...JSON.parse(body), rowType: type }));
}
const typesTold = async () => (await told()).map(({ type }) => type);

const failing = anAdapter(async () => {
  throw new UpstreamError("unavailable", "harbour.example answered 502.", {
    retryable: true,
    detail: "raw answer",
  });
});
const working = anAdapter(async () => ({ documents: [{ id: "a", title: "Ebb" }] }));

describe("a feed's runs", () => {
  it("tell of a failure with its cause, and of the recovery, with ids and links and no contents", async () => {
    const { id: feedId, sourceId } = await createSyncedFeed(t.db, caller);
    const failed = await runFeed(t.db, caller, feedId, failing);
    await runFeed(t.db, caller, feedId, working);
    await runFeed(t.db, caller, feedId, working);
    const events = await told();
    expect(events.map(({ type }) => type)).toEqual(["run.failed", "run.recovered"]);
    expect(events[0]).toMatchObject({
      rowType: "run.failed",
      timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
      data: {
        runId: failed.id,
        feedId,
        sourceId,
        sourceName: "Test source",
        status: "failed",
        error: { origin: "upstream", code: "unavailable", message: "harbour.example answered 502." },
        feedState: "active",
        consecutiveFailures: 1,
        links: {
          run: `http://localhost:3000/runs/${failed.id}`,
          feed: `http://localhost:3000/feeds/${feedId}`,
        },
      },
    });
    expect(JSON.stringify(events)).not.toMatch(/raw answer|Ebb/);
    expect(events[1].data).toMatchObject({ consecutiveFailures: 1, failingSince: expect.any(String) });
  });

  it("tell of the recovery also when a person resumed the feed in between", async () => {
    const { id: feedId } = await createSyncedFeed(t.db, caller);
    await runFeed(t.db, caller, feedId, failing);
    await pauseFeed(t.db, caller, { feedId });
    await resumeFeed(t.db, caller, { feedId });
    await runFeed(t.db, caller, feedId, working);
    expect(await typesTold()).toEqual(["run.failed", "feed.paused", "run.recovered"]);
  });

  it("tell of one that was abandoned", async () => {
    const { id: feedId } = await createFeed(t.db, caller);
    const { runId } = await startRun(t.db, caller, { feedId, trigger: "api", executor: "api" });
    await t.db.syncRun.updateMany({ where: { id: runId }, data: { leaseExpiresAt: new Date(0) } });
    await reapRuns(t.db);
    expect(await told()).toMatchObject([{ type: "run.failed", data: { runId, status: "abandoned" } }]);
  });

  it("tell of a rate limit, which is no failure, with its end", async () => {
    const { id: feedId } = await createSyncedFeed(t.db, caller);
    const retryAt = new Date(Date.now() + 90_000);
    const limited = anAdapter(async () => {
      throw new UpstreamError("rate_limited", "Slow down.", { retryable: true, retryAt });
    });
    await runFeed(t.db, caller, feedId, limited);
    expect(await told()).toMatchObject([
      { type: "feed.rate_limited", data: { feedId, until: retryAt.toISOString() } },
    ]);
  });

  it("tell when a feed is paused after failing for days", async () => {
    const { id: feedId } = await createSyncedFeed(t.db, caller);
    const failingSince = new Date(Date.now() - 8 * 86_400_000);
    await t.db.feed.updateMany({ where: { id: feedId }, data: { failingSince, consecutiveFailures: 40 } });
    await runFeed(t.db, caller, feedId, failing);
    expect(await told()).toMatchObject([
      { type: "run.failed", data: { feedState: "paused" } },
      {
        type: "feed.paused",
        data: { feedId, pausedBy: "failures", reason: "harbour.example answered 502." },
      },
    ]);
  });
});

it("tells of pauses by a person: once for a feed, once for a whole source", async () => {
  const { id: feedId, sourceId } = await createSyncedFeed(t.db, caller);
  await pauseFeed(t.db, caller, { feedId });
  await pauseFeed(t.db, caller, { feedId });
  await pauseSource(t.db, caller, { sourceId });
  await pauseSource(t.db, caller, { sourceId });
  expect(await told()).toMatchObject([
    { type: "feed.paused", data: { feedId, pausedBy: "person" } },
    { type: "feed.paused", data: { feedId: null, sourceId, feedName: null, pausedBy: "source" } },
  ]);
});

it("tells of deletes that wait for a person, without naming documents", async () => {
  const { id: feedId } = await createFeed(t.db, caller, { watermark: "none" });
  const documents = [{ id: "secret-plan", text: "x" }];
  await ingestDocuments(t.db, caller, { feedId, documents });
  const { runId } = await startRun(t.db, caller, { feedId, trigger: "api", executor: "api" });
  const { holdId } = await finishRun(t.db, caller, { runId, status: "succeeded", complete: true });
  const events = await told();
  expect(events).toMatchObject([{ type: "deletes.held", data: { feedId, runId, holdId, count: 1 } }]);
  expect(JSON.stringify(events)).not.toContain("secret-plan");
});

describe("who is told", () => {
  const event = (feedId: string) =>
    ({ type: "feed.paused", feedId, data: { pausedBy: "person", reason: null } }) as const;

  it("is whoever chose the event and is enabled, in this workspace alone", async () => {
    const other = await createCaller(t.db);
    await createEndpoint(t.db, other, { url: "https://example.org/other", events: ["feed.paused"] });
    const { id: feedId } = await createSyncedFeed(t.db, caller);
    await updateEndpoint(t.db, caller, { webhookId, events: ["run.failed"] });
    await pauseFeed(t.db, caller, { feedId });
    expect(await told()).toEqual([]);
    await updateEndpoint(t.db, caller, { webhookId, events: ["feed.paused"], status: "disabled" });
    await t.db.$transaction((tx) => recordEvent(tx, caller, event(feedId)));
    expect(await told()).toEqual([]);
    expect(await t.db.webhookDelivery.count({ where: { workspaceId: other.workspaceId } })).toBe(0);
  });

  it("is nobody when what happened was rolled back", async () => {
    const { id: feedId } = await createSyncedFeed(t.db, caller);
    const undone = t.db.$transaction(async (tx) => {
      await recordEvent(tx, caller, event(feedId));
      throw new Error("undone");
    });
    await expect(undone).rejects.toThrow("undone");
    expect(await told()).toEqual([]);
  });

  it("an endpoint that is being deleted does not make the event's transaction fail", async () => {
    const { id: feedId } = await createSyncedFeed(t.db, caller);
    let end = () => {};
    const ended = new Promise<void>((done) => {
      end = done;
    });
    let isDeleted = () => {};
    const deleted = new Promise<void>((done) => {
      isDeleted = done;
    });
    const deleting = t.db.$transaction(async (tx) => {
      await tx.webhookEndpoint.deleteMany({ where: { id: webhookId } });
      isDeleted();
      await ended;
    });
    await deleted;
    const pausing = pauseFeed(t.db, caller, { feedId });
    await waitUntil(isSomebodyWaiting, "the event's transaction waits for the deletion");
    end();
    await deleting;
    expect(await pausing).toMatchObject({ status: "paused" });
    expect(await told()).toEqual([]);
  });
});

async function isSomebodyWaiting(): Promise<boolean> {
  const rows = await t.db.$queryRaw<object[]>`
    SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
  return rows.length > 0;
}
