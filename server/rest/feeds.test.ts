import { beforeAll, describe, expect, it } from "vitest";
import type { Caller } from "@/server/actor";
import { useDatabase } from "@/test/database";
import { createCaller, createFeed } from "@/test/factories";
import { RestClient } from "@/test/rest-client";
import { feedSchema } from "./schemas";

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
