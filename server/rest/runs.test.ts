import { beforeAll, describe, expect, it } from "vitest";
import type { Caller } from "@/server/actor";
import { useDatabase } from "@/test/database";
import { createCaller, createFeed } from "@/test/factories";
import { RestClient } from "@/test/rest-client";
import { runSchema, runWithEventsSchema } from "./schemas";

const t = useDatabase();
let caller: Caller;
let api: RestClient;

beforeAll(async () => {
  caller = await createCaller(t.db);
  api = await RestClient.create(t.db, caller);
});

describe("a run of someone's own code", () => {
  it("starts, lives, carries pushes, ends, and is fenced from then on", async () => {
    const feed = await createFeed(t.db, caller, { watermark: "idSet" });
    const started = await api.post(`/feeds/${feed.id}/runs`, { trigger: "webhook", listing: true });
    expect(started).toMatchObject({ status: 201, body: { cursor: null } });
    const { runId, leaseExpiresAt } = started.body;
    expect(Date.parse(leaseExpiresAt)).toBeGreaterThan(Date.now());
    expect(await api.post(`/feeds/${feed.id}/runs`)).toMatchObject({
      status: 409,
      body: { code: "run_active", runId },
    });
    expect((await api.get(`/feeds/${feed.id}`)).body.activeRunId).toBe(runId);

    const pushed = await api.post(`/feeds/${feed.id}/documents`, {
      documents: [{ id: "a" }, { id: 1.5 }],
      cursor: "4",
      cursorBefore: null,
      runId,
    });
    expect(pushed.body).toMatchObject({ runId, created: 1, cursorOutcome: "advanced" });
    const beat = await api.post(`/runs/${runId}/heartbeat`);
    expect(Date.parse(beat.body.leaseExpiresAt)).toBeGreaterThanOrEqual(Date.parse(leaseExpiresAt));
    expect((await api.post(`/runs/${runId}/restart`, { reason: "forgot" })).body).toEqual({ cursor: null });

    const ended = await api.post(`/runs/${runId}/finish`, { status: "succeeded" });
    expect(ended.status).toBe(200);
    runWithEventsSchema.parse(ended.body);
    expect(ended.body).toMatchObject({
      id: runId,
      feedId: feed.id,
      status: "succeeded",
      trigger: "webhook",
      executor: "api",
      pages: 1,
      created: 1,
      rejected: 1,
      listing: true,
      restarted: true,
      bytes: "0",
      feedName: "default",
      sourceName: "Test source",
    });
    expect(ended.body.actor).toMatchObject({ type: "token", name: "test" });
    for (const call of [
      api.post(`/runs/${runId}/heartbeat`),
      api.post(`/runs/${runId}/restart`, { reason: "x" }),
      api.post(`/runs/${runId}/finish`, { status: "failed" }),
      api.post(`/feeds/${feed.id}/documents`, { documents: [{ id: "late" }], runId }),
    ]) {
      expect(await call).toMatchObject({ status: 409, body: { code: "run_fenced" } });
    }
    expect((await api.get(`/feeds/${feed.id}`)).body).toMatchObject({ documentCount: 1, activeRunId: null });
  });

  it("fails with an error in words, long or short", async () => {
    for (const [error, message] of [
      ["It broke.", "It broke."],
      [{ origin: "upstream", code: "unavailable", message: "503", detail: "…", retryable: true }, "503"],
    ] as const) {
      const feed = await createFeed(t.db, caller);
      const { runId } = (await api.post(`/feeds/${feed.id}/runs`)).body;
      const ended = await api.post(`/runs/${runId}/finish`, { status: "failed", error });
      expect(ended.body).toMatchObject({ status: "failed", error: { message } });
      expect((await api.get(`/feeds/${feed.id}`)).body).toMatchObject({
        status: "failing",
        error: { message },
      });
    }
  });

  it("ends with the program's own warnings, and says until when a rate limit lasts", async () => {
    const feed = await createFeed(t.db, caller);
    const { runId } = (await api.post(`/feeds/${feed.id}/runs`)).body;
    const warnings = [{ code: "odd_item", message: "An item was odd." }];
    const retryAt = new Date(Date.now() + 3_600_000).toISOString();
    const error = { code: "rate_limited", message: "Later." };
    const ended = await api.post(`/runs/${runId}/finish`, { status: "partial", error, warnings, retryAt });
    expect(ended.body).toMatchObject({ status: "partial", warnings });
    expect(ended.body.events).toContainEqual(expect.objectContaining({ message: "An item was odd." }));
    expect((await api.get(`/feeds/${feed.id}`)).body).toMatchObject({
      status: "rate_limited",
      rateLimitedUntil: retryAt,
    });
  });

  it("refuses what it cannot understand", async () => {
    const feed = await createFeed(t.db, caller);
    expect((await api.post(`/feeds/${feed.id}/runs`, { trigger: "boredom" })).status).toBe(422);
    expect((await api.post(`/feeds/${feed.id}/runs`, { listing: "yes" })).status).toBe(422);
    const { runId } = (await api.post(`/feeds/${feed.id}/runs`)).body;
    for (const body of [
      {},
      { status: "abandoned" },
      { status: "succeeded", complete: 1 },
      { status: "failed", error: 5 },
      { status: "partial", retryAt: "soon" },
      { status: "succeeded", warnings: [{ code: "no_message" }] },
    ]) {
      expect((await api.post(`/runs/${runId}/finish`, body)).status).toBe(422);
    }
    expect((await api.post(`/runs/${runId}/restart`, {})).status).toBe(422);
    expect((await api.get(`/runs/${runId}`)).body.status).toBe("running");
  });
});

describe("the list of runs", () => {
  it("is newest first, pages, and filters by everything the wire names", async () => {
    const mine = await createCaller(t.db);
    const client = await RestClient.create(t.db, mine);
    const one = await createFeed(t.db, mine);
    const two = await createFeed(t.db, mine);
    const runs: string[] = [];
    for (const feed of [one, two, one]) {
      runs.push(
        (await client.post(`/feeds/${feed.id}/documents`, { documents: [{ id: `r${runs.length}` }] })).body
          .runId,
      );
    }
    const active = (await client.post(`/feeds/${two.id}/runs`, { trigger: "launch" })).body.runId;
    runs.push(active);
    await t.db.syncRun.update({
      where: { workspaceId_id: { workspaceId: mine.workspaceId, id: runs[0] ?? "" } },
      data: { startedAt: new Date("2026-01-01T00:00:00Z") },
    });
    const newestFirst = runs.toReversed();
    const ids = async (query: string) => {
      const { body } = await client.get(`/runs?${query}`);
      for (const item of body.items) runSchema.parse(item);
      return body.items.map((item: { id: string }) => item.id);
    };
    expect(await ids("")).toEqual(newestFirst);
    expect(await ids(`feedId=${two.id}`)).toEqual([runs[3], runs[1]]);
    expect(await ids(`sourceId=${one.sourceId}`)).toEqual([runs[2], runs[0]]);
    expect(await ids("status=running")).toEqual([active]);
    expect(await ids("trigger=launch&executor=api")).toEqual([active]);
    expect(await ids("executor=cloud")).toEqual([]);
    expect(await ids("until=2026-01-01T00:00:01Z")).toEqual([runs[0]]);
    expect(await ids("since=2026-01-01T05:45:01%2B05:45")).toEqual(newestFirst.slice(0, 3));
    const first = (await client.get("/runs?limit=3")).body;
    expect(await ids(`limit=3&after=${first.nextAfter}`)).toEqual([runs[0]]);
  });
});
