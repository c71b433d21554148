import { beforeAll, describe, expect, it } from "vitest";
import type { Caller } from "@/server/actor";
import { continueDeletions } from "@/server/feeds/continue-deletions";
import { useDatabase } from "@/test/database";
import { createCaller, createFeed } from "@/test/factories";
import { RestClient } from "@/test/rest-client";
import {
  documentWithTextSchema,
  feedSchema,
  heldDeleteSchema,
  rejectionSchema,
  transitionSchema,
} from "./schemas";

const t = useDatabase();
let caller: Caller;
let api: RestClient;

beforeAll(async () => {
  caller = await createCaller(t.db);
  api = await RestClient.create(t.db, caller);
});

const push = (feedId: string, body: object) => api.post(`/feeds/${feedId}/documents`, body);
const ids = (count: number, prefix = "d") =>
  Array.from({ length: count }, (_, i) => ({ id: `${prefix}-${i}` }));

/** Fills a feed in calls of fifty. */
async function fill(feedId: string, count: number) {
  for (let from = 0; from < count; from += 50) {
    await push(feedId, { documents: ids(Math.min(50, count - from), `d${from}`) });
  }
}

describe("ensuring a feed", () => {
  it("answers 201 once and 200 after that, with the feed as it is", async () => {
    const source = (await api.post("/sources", { type: "api", name: "S" })).body;
    const first = await api.post(`/sources/${source.id}/feeds`, { externalKey: "inbox", name: "Inbox" });
    const again = await api.post(`/sources/${source.id}/feeds`, {
      externalKey: "inbox",
      name: "Other",
      watermark: "token",
    });
    expect([first.status, again.status]).toEqual([201, 200]);
    feedSchema.parse(again.body);
    expect(again.body).toMatchObject({ id: first.body.id, name: "Inbox", watermark: "token" });
    const fixed = await api.post(`/sources/${source.id}/feeds`, { externalKey: "inbox", watermark: "date" });
    expect(fixed).toMatchObject({ status: 200, body: { watermark: "token" } });
  });

  it("keeps keys apart that share their first thousands of characters", async () => {
    const source = (await api.post("/sources", { type: "api", name: "Long" })).body;
    const key = "k".repeat(8000);
    const one = await api.post(`/sources/${source.id}/feeds`, { externalKey: `${key}1` });
    const two = await api.post(`/sources/${source.id}/feeds`, { externalKey: `${key}2` });
    expect([one.status, two.status]).toEqual([201, 201]);
    expect((await api.post(`/sources/${source.id}/feeds`, { externalKey: `${key}1` })).body.id).toBe(
      one.body.id,
    );
  });
});

describe("a feed", () => {
  it("changes name, config and interval; its externalKey and watermark stay", async () => {
    const feed = await createFeed(t.db, caller, { watermark: "date" });
    const changed = await api.patch(`/feeds/${feed.id}`, {
      name: "Named",
      config: { a: [1] },
      intervalSeconds: 900,
      externalKey: "x",
      watermark: "token",
    });
    expect(changed.body).toMatchObject({
      name: "Named",
      displayName: "Named",
      config: { a: [1] },
      intervalSeconds: 900,
      externalKey: "default",
      watermark: "date",
    });
    expect((await api.patch(`/feeds/${feed.id}`, { name: null, intervalSeconds: null })).body).toMatchObject({
      name: null,
      displayName: "default",
      intervalSeconds: null,
    });
    expect((await api.patch(`/feeds/${feed.id}`, { intervalSeconds: 0 })).status).toBe(422);
  });

  it("derives its status as the schema says, in the answer and in the filter alike", async () => {
    const source = (
      await api.post("/sources", {
        type: "rss",
        name: "Derive",
        feeds: [{ externalKey: "https://example.org/f" }],
      })
    ).body;
    const feedId = source.feeds[0].id;
    const soon = new Date(Date.now() + 60_000);
    const cases = [
      [{}, "active"],
      [{ failingSince: new Date() }, "failing"],
      [{ failingSince: new Date(), rateLimitedUntil: soon }, "rate_limited"],
      [{ rateLimitedUntil: new Date(Date.now() - 1000) }, "active"],
      [{ state: "needs_reconnect" }, "needs_reconnect"],
      [{ state: "disabled" }, "disabled"],
      [{ state: "paused", pausedBy: "failures", failingSince: new Date() }, "paused"],
      [{ state: "deleting" }, "deleting"],
      [{}, "active"],
    ] as const;
    for (const [data, status] of cases) {
      await t.db.feed.updateMany({
        where: { id: feedId },
        data: { state: "active", failingSince: null, rateLimitedUntil: null, pausedBy: null, ...data },
      });
      expect((await api.get(`/feeds/${feedId}`)).body.status).toBe(status);
      for (const filter of [
        "active",
        "paused",
        "failing",
        "rate_limited",
        "needs_reconnect",
        "disabled",
        "deleting",
      ]) {
        const { items } = (await api.get(`/sources/${source.id}/feeds?status=${filter}`)).body;
        expect(items.length, `${status} under ${filter}`).toBe(filter === status ? 1 : 0);
      }
    }
  });

  it("pauses and resumes; a paused one still takes pushes", async () => {
    const { body } = await api.post("/sources", {
      type: "rss",
      name: "P",
      feeds: [{ externalKey: "https://example.org/pr" }],
    });
    const feedId = body.feeds[0].id;
    expect((await api.post(`/feeds/${feedId}/pause`)).body).toMatchObject({
      status: "paused",
      pausedBy: "person",
      nextSyncAt: null,
    });
    expect((await api.post(`/feeds/${feedId}/pause`)).status).toBe(200);
    expect(await push(feedId, { documents: ids(1) })).toMatchObject({ status: 200, body: { created: 1 } });
    expect(await api.post(`/feeds/${feedId}/sync`)).toMatchObject({
      status: 409,
      body: { code: "conflict" },
    });
    const resumed = (await api.post(`/feeds/${feedId}/resume`)).body;
    expect(resumed).toMatchObject({ status: "active", pausedBy: null });
    expect(Date.parse(resumed.nextSyncAt)).toBeLessThanOrEqual(Date.now());
  });

  it("takes nothing while it is disabled, until someone resumes it", async () => {
    const feed = await createFeed(t.db, caller);
    await t.db.feed.updateMany({ where: { id: feed.id }, data: { state: "disabled" } });
    expect(await push(feed.id, { documents: ids(1) })).toMatchObject({
      status: 409,
      body: { code: "feed_disabled" },
    });
    expect(await api.post(`/feeds/${feed.id}/pause`)).toMatchObject({
      status: 409,
      body: { code: "feed_disabled" },
    });
    expect((await api.post(`/feeds/${feed.id}/resume`)).body.status).toBe("active");
    expect((await push(feed.id, { documents: ids(1) })).status).toBe(200);
  });
});

describe("deleting", () => {
  it("answers 204 for a small feed; its documents are tombstones, its key is free again", async () => {
    const source = (await api.post("/sources", { type: "api", name: "Del", feeds: [{ externalKey: "k" }] }))
      .body;
    const feedId = source.feeds[0].id;
    await push(feedId, { documents: [...ids(3), { id: 9.5 }], cursor: "5" });
    const before = await t.db.document.findMany({ where: { feedId }, orderBy: { seq: "desc" } });
    expect((await api.delete(`/feeds/${feedId}`)).status).toBe(204);
    const after = await t.db.document.findMany({ where: { feedId }, orderBy: { seq: "asc" } });
    expect(after).toHaveLength(3);
    expect(
      after.every(
        (document) =>
          document.state === "tombstone" && document.deleteKind === "explicit" && document.text === null,
      ),
    ).toBe(true);
    expect(after[0]?.seq).toBeGreaterThan(before[0]?.seq ?? 0n);
    expect(await t.db.rejectedDocument.count({ where: { feedId } })).toBe(0);
    expect((await api.get(`/feeds/${feedId}`)).status).toBe(404);
    expect((await api.delete(`/feeds/${feedId}`)).status).toBe(404);
    const again = await api.post(`/sources/${source.id}/feeds`, { externalKey: "k" });
    expect(again.status).toBe(201);
    expect(again.body.id).not.toBe(feedId);
    expect((await api.get(`/runs?feedId=${feedId}`)).body.items, "the audit trail stays").not.toHaveLength(0);
  });

  it("goes on in the background for a large feed, and every batch is one step nearer", async () => {
    const source = (
      await api.post("/sources", { type: "api", name: "Big", key: "big", feeds: [{ externalKey: "k" }] })
    ).body;
    const feedId = source.feeds[0].id;
    await fill(feedId, 1100);
    const run = (await api.post(`/feeds/${feedId}/runs`)).body;
    const answer = await api.delete(`/feeds/${feedId}`);
    expect(answer).toMatchObject({
      status: 202,
      body: { id: feedId, status: "deleting", documentCount: 1100 },
    });
    expect((await api.post(`/sources/${source.id}/feeds`, { externalKey: "k" })).status).toBe(201);
    expect(await push(feedId, { documents: ids(1) })).toMatchObject({
      status: 409,
      body: { code: "feed_deleting" },
    });
    expect(await api.post(`/runs/${run.runId}/heartbeat`)).toMatchObject({
      status: 409,
      body: { code: "run_fenced" },
    });
    for (const call of [
      api.patch(`/feeds/${feedId}`, { name: "x" }),
      api.post(`/feeds/${feedId}/pause`),
      api.post(`/feeds/${feedId}/resume`),
      api.post(`/feeds/${feedId}/runs`),
    ]) {
      expect(await call).toMatchObject({ status: 409, body: { code: "feed_deleting" } });
    }
    // Nothing but one batch fits into this budget: the rest is left for the next call.
    await continueDeletions(t.db, { budgetMs: 1 });
    expect((await api.get(`/feeds/${feedId}`)).body.documentCount).toBe(600);
    expect((await api.delete(`/feeds/${feedId}`)).status, "600 fit into the answer").toBe(204);
    expect(await t.db.document.count({ where: { feedId, state: "live" } })).toBe(0);
  });

  it("is finished once by two workers at the same time", async () => {
    const feed = await createFeed(t.db, caller);
    await fill(feed.id, 1050);
    await api.delete(`/feeds/${feed.id}`);
    await Promise.all([continueDeletions(t.db), continueDeletions(t.db)]);
    expect(await t.db.feed.count({ where: { id: feed.id } })).toBe(0);
    const seqs = await t.db.document.findMany({
      where: { feedId: feed.id, state: "tombstone" },
      select: { seq: true },
    });
    expect(new Set(seqs.map((row) => row.seq)).size).toBe(1050);
  });

  it("of a source takes its feeds along and frees its key at once", async () => {
    const make = () =>
      api.post("/sources", {
        type: "api",
        name: "Gone",
        key: "gone",
        feeds: [{ externalKey: "a" }, { externalKey: "b" }],
      });
    const source = (await make()).body;
    await push(source.feeds[0].id, { documents: ids(2) });
    expect((await api.delete(`/sources/${source.id}`)).status).toBe(204);
    expect((await api.get(`/sources/${source.id}`)).status).toBe(404);
    expect((await api.get(`/feeds/${source.feeds[1].id}`)).status).toBe(404);
    expect(await t.db.document.count({ where: { sourceId: source.id, state: "tombstone" } })).toBe(2);

    const large = (await make()).body;
    expect(large.id).not.toBe(source.id);
    await fill(large.feeds[0].id, 1050);
    expect(await api.delete(`/sources/${large.id}`)).toMatchObject({
      status: 202,
      body: { status: "deleting", key: null },
    });
    expect((await make()).status).toBe(201);
    expect(await api.patch(`/sources/${large.id}`, { name: "x" })).toMatchObject({ status: 409 });
    expect(await api.post(`/sources/${large.id}/feeds`, { externalKey: "new" })).toMatchObject({
      status: 409,
    });
    expect((await api.get("/sources?status=deleting")).body.items).toHaveLength(1);
    await continueDeletions(t.db);
    expect((await api.get(`/sources/${large.id}`)).status).toBe(404);
  });
});

describe("documents", () => {
  it("are listed without text, each once, tombstones apart; one alone has its text", async () => {
    const feed = await createFeed(t.db, caller);
    const documents = Array.from({ length: 7 }, (_, i) => ({
      id: `n${i}`,
      title: `T${i}`,
      text: `Text ${i}`,
      metadata: { i },
      date: "2026-06-14T08:59:00+02:00",
    }));
    await push(feed.id, { documents });
    await push(feed.id, { documents: [{ id: "n3", deleted: true }] });
    const seen: string[] = [];
    let after = "";
    do {
      const { body } = await api.get(`/feeds/${feed.id}/documents?limit=2${after && `&after=${after}`}`);
      for (const item of body.items) expect(item).not.toHaveProperty("text");
      seen.push(...body.items.map((item: { externalId: string }) => item.externalId));
      after = body.nextAfter ?? "";
    } while (after);
    expect(seen).toEqual(["n0", "n1", "n2", "n4", "n5", "n6"]);
    const newest = (await api.get(`/feeds/${feed.id}/documents?order=newest&limit=1`)).body;
    expect(newest.items[0].externalId).toBe("n6");
    const gone = (await api.get(`/feeds/${feed.id}/documents?deleted=true`)).body.items;
    expect(gone).toMatchObject([{ externalId: "n3", deleted: true, title: null, metadata: {} }]);

    const one = (await api.get(`/feeds/${feed.id}/documents/by-external-id?id=n1`)).body;
    documentWithTextSchema.parse(one);
    expect(one).toMatchObject({
      feedId: feed.id,
      sourceId: feed.sourceId,
      version: null,
      title: "T1",
      text: "Text 1",
      metadata: { i: 1 },
      date: "2026-06-14T06:59:00.000Z",
      deleted: false,
    });
    expect((await api.get(`/documents/${one.id}`)).body).toEqual(one);
    expect((await api.get(`/documents/${gone[0].id}`)).body).toMatchObject({ deleted: true, text: null });
    expect(await api.get(`/feeds/${feed.id}/documents/by-external-id?id=n3`)).toMatchObject({
      status: 410,
      body: { code: "document_deleted" },
    });
    expect(await api.get(`/feeds/${feed.id}/documents/by-external-id?id=N1`)).toMatchObject({
      status: 404,
      body: { code: "not_found" },
    });
    expect((await api.get(`/feeds/${feed.id}/documents/by-external-id`)).status).toBe(422);
    expect((await api.get(`/feeds/${feed.id}/documents/by-external-id?id=a%00b`)).status).toBe(404);
  });

  it("are found by the published id, and under the other scheme only where an adapter folds", async () => {
    const pushed = await createFeed(t.db, caller);
    const synced = await createFeed(t.db, caller, { watermark: "date" }, { type: "rss", runsOn: "cloud" });
    const find = async (feedId: string, id: string) => {
      const answer = await api.get(`/feeds/${feedId}/documents/by-external-id?id=${encodeURIComponent(id)}`);
      return answer.status === 200 ? answer.body.externalId : answer.status;
    };
    const http = "http://example.org/a";
    const https = "https://example.org/a";
    await push(pushed.id, { documents: [{ id: https }] });
    expect([await find(pushed.id, https), await find(pushed.id, http)]).toEqual([https, 404]);
    await push(pushed.id, { documents: [{ id: http, title: "another document" }] });
    expect([await find(pushed.id, https), await find(pushed.id, http)]).toEqual([https, http]);

    await push(synced.id, { documents: [{ id: http, key: https }] });
    expect([await find(synced.id, http), await find(synced.id, https)]).toEqual([http, http]);
    await push(synced.id, { documents: [{ id: https, key: https, title: "moved" }] });
    expect([await find(synced.id, http), await find(synced.id, https)]).toEqual([https, https]);
    expect(await find(synced.id, "http://example.org/A")).toBe(404);
  });

  it("that were purged are nowhere", async () => {
    const feed = await createFeed(t.db, caller);
    await push(feed.id, { documents: [{ id: "x", version: "1" }] });
    const document = (await api.get(`/feeds/${feed.id}/documents/by-external-id?id=x`)).body;
    await push(feed.id, { documents: [{ id: "x", version: "2", deleted: true }] });
    await t.db.document.updateMany({
      where: { id: document.id },
      data: { state: "grave", seq: null, externalId: null, key: null },
    });
    expect((await api.get(`/documents/${document.id}`)).status).toBe(404);
    expect((await api.get(`/feeds/${feed.id}/documents/by-external-id?id=x`)).status).toBe(404);
    expect((await api.get(`/feeds/${feed.id}/documents?deleted=true`)).body.items).toEqual([]);
  });
});

describe("cursor, rejections and held deletes", () => {
  it("resets after showing what it would do, refuses during a run, and lists every move", async () => {
    const feed = await createFeed(t.db, caller);
    await push(feed.id, { documents: ids(2), cursor: "5" });
    await push(feed.id, { documents: [], cursor: "9" });
    const preview = await api.post(`/feeds/${feed.id}/reset`, { to: null, reason: "try", dryRun: true });
    expect(preview).toMatchObject({
      status: 200,
      body: { dryRun: true, from: "9", to: null, documentsKept: 2 },
    });
    expect((await api.get(`/feeds/${feed.id}`)).body.cursor).toBe("9");

    const run = (await api.post(`/feeds/${feed.id}/runs`)).body;
    expect(await api.post(`/feeds/${feed.id}/reset`, { to: null, reason: "now" })).toMatchObject({
      status: 409,
      body: { code: "run_active", runId: run.runId },
    });
    await api.post(`/runs/${run.runId}/finish`, { status: "cancelled" });
    const moves = (await api.get(`/feeds/${feed.id}/cursor-transitions`)).body.items;
    moves.map((move: unknown) => transitionSchema.parse(move));
    expect(moves.map((move: { to: string }) => move.to)).toEqual(["9", "5"]);
    expect(
      (await api.post(`/feeds/${feed.id}/reset`, { to: moves[1].id, reason: "back" })).body,
    ).toMatchObject({ to: "5" });
    expect((await api.get(`/feeds/${feed.id}/cursor-transitions?limit=1`)).body.items).toMatchObject([
      { from: "9", to: "5", outcome: "reset", reason: "back" },
    ]);
    for (const body of [{ to: null }, { to: null, reason: "  " }, { reason: "x" }, { to: 5, reason: "x" }]) {
      expect((await api.post(`/feeds/${feed.id}/reset`, body)).status).toBe(422);
    }
  });

  it("keeps rejections for inspection and takes them again", async () => {
    const feed = await createFeed(t.db, caller);
    await push(feed.id, { documents: [{ id: "bad", version: "one" }, { id: "good" }] });
    const { items } = (await api.get(`/feeds/${feed.id}/rejections`)).body;
    expect(items).toMatchObject([
      { externalId: "bad", code: "version_invalid", payload: { id: "bad", version: "one" }, occurrences: 1 },
    ]);
    rejectionSchema.parse(items[0]);
    expect((await api.get(`/feeds/${feed.id}`)).body.rejections).toBe(1);
    const retry = `/feeds/${feed.id}/rejections/${items[0].id}/retry`;
    expect((await api.post(retry)).body).toMatchObject({
      created: 0,
      documentsRejected: [{ code: "version_invalid" }],
    });
    expect((await api.post(retry, { document: { id: "bad" } })).body).toMatchObject({ created: 1 });
    expect((await api.get(`/feeds/${feed.id}`)).body.rejections).toBe(0);
    expect((await api.post(retry)).status).toBe(404);
  });

  it("lets an admin approve or dismiss a held sweep", async () => {
    const feed = await createFeed(t.db, caller, { watermark: "none" });
    await push(feed.id, { documents: ids(3) });
    const listNothing = async () => {
      const { runId } = (await api.post(`/feeds/${feed.id}/runs`)).body;
      return api.post(`/runs/${runId}/finish`, { status: "succeeded", complete: true });
    };
    await listNothing();
    const [hold] = (await api.get(`/feeds/${feed.id}/held-deletes`)).body.items;
    heldDeleteSchema.parse(hold);
    expect(hold).toMatchObject({ count: 3, sample: ["d-0", "d-1", "d-2"] });
    expect((await api.get(`/feeds/${feed.id}`)).body).toMatchObject({ heldDeletes: 1, documentCount: 3 });
    expect((await api.post(`/feeds/${feed.id}/held-deletes/${hold.id}/dismiss`)).status).toBe(204);
    expect((await api.post(`/feeds/${feed.id}/held-deletes/${hold.id}/approve`)).status).toBe(404);
    await listNothing();
    const [again] = (await api.get(`/feeds/${feed.id}/held-deletes`)).body.items;
    expect((await api.post(`/feeds/${feed.id}/held-deletes/${again.id}/approve`)).body).toEqual({
      deleted: 3,
      spared: 0,
    });
    expect((await api.get(`/feeds/${feed.id}`)).body.documentCount).toBe(0);
  });
});
