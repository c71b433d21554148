import { beforeAll, describe, expect, it } from "vitest";
import type { Caller } from "@/server/actor";
import { continueDeletions } from "@/server/feeds/continue-deletions";
import { useDatabase } from "@/test/database";
import { createCaller, createFeed } from "@/test/factories";
import { RestClient } from "@/test/rest-client";

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
