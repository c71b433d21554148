import { beforeAll, describe, expect, it } from "vitest";
import type { Caller } from "@/server/actor";
import { countingDb } from "@/test/counting-db";
import { useDatabase } from "@/test/database";
import { createCaller } from "@/test/factories";
import { RestClient } from "@/test/rest-client";

const t = useDatabase();
let caller: Caller;
let api: RestClient;

beforeAll(async () => {
  caller = await createCaller(t.db);
  api = await RestClient.create(t.db, caller);
});

describe("a source", () => {
  it("changes name and config, and nothing else", async () => {
    const { body } = await api.post("/sources", { type: "api", name: "Before", config: { a: 1 } });
    const changed = await api.patch(`/sources/${body.id}`, {
      name: "After",
      config: { b: 2 },
      type: "rss",
      status: "paused",
    });
    expect(changed.body).toMatchObject({
      id: body.id,
      name: "After",
      config: { b: 2 },
      type: "api",
      status: "active",
    });
    expect((await api.patch(`/sources/${body.id}`, { name: 5 })).status).toBe(422);
  });

  it("derives its status from its own state and its feeds", async () => {
    const { body } = await api.post("/sources", {
      type: "rss",
      name: "States",
      feeds: [{ externalKey: "https://example.org/x" }],
    });
    const feedId = body.feeds[0].id;
    const statusAfter = async (data: object) => {
      await t.db.feed.updateMany({ where: { id: feedId }, data });
      return (await api.get(`/sources/${body.id}`)).body.status;
    };
    const error = {
      origin: "upstream",
      code: "unavailable",
      message: "It is down.",
      detail: null,
      retryable: true,
      at: new Date().toISOString(),
    };
    expect(await statusAfter({ failingSince: new Date(), error })).toBe("failing");
    expect((await api.get(`/sources/${body.id}`)).body.problems).toEqual([
      { feedId, name: "https://example.org/x", status: "failing", message: "It is down." },
    ]);
    expect(await statusAfter({ rateLimitedUntil: new Date(Date.now() + 60_000) })).toBe("active");
    expect(await statusAfter({ rateLimitedUntil: null, state: "paused", pausedBy: "failures" })).toBe(
      "failing",
    );
    expect(await statusAfter({ state: "needs_reconnect", pausedBy: null })).toBe("needs_reconnect");
    expect((await api.post(`/sources/${body.id}/pause`)).body.status).toBe("paused");
    expect((await api.post(`/sources/${body.id}/resume`)).body.status).toBe("needs_reconnect");
  });

  it("holds its feeds while it is paused, and lets each go on as it was", async () => {
    const { body } = await api.post("/sources", {
      type: "rss",
      name: "Paused",
      feeds: [{ externalKey: "https://example.org/p1" }, { externalKey: "https://example.org/p2" }],
    });
    const [one, two] = body.feeds;
    await api.post(`/feeds/${two.id}/pause`);
    await api.post(`/sources/${body.id}/pause`);
    expect((await api.get(`/feeds/${one.id}`)).body).toMatchObject({
      status: "paused",
      pausedBy: "source",
      nextSyncAt: null,
    });
    expect(await api.post(`/sources/${body.id}/sync`)).toMatchObject({
      status: 409,
      body: { code: "conflict" },
    });
    await api.post(`/sources/${body.id}/resume`);
    expect((await api.get(`/feeds/${one.id}`)).body.status).toBe("active");
    expect((await api.get(`/feeds/${two.id}`)).body).toMatchObject({ status: "paused", pausedBy: "person" });
  });

  it("cannot be synced when documents are pushed to it", async () => {
    const { body } = await api.post("/sources", {
      type: "api",
      name: "Push",
      feeds: [{ externalKey: "default" }],
    });
    expect(await api.post(`/sources/${body.id}/sync`)).toMatchObject({
      status: 409,
      body: { code: "conflict" },
    });
    expect(await api.post(`/feeds/${body.feeds[0].id}/sync`)).toMatchObject({
      status: 409,
      body: { code: "conflict" },
    });
  });
});

describe("the list of sources", () => {
  it("pages through all of them once, filters by status, type and name", async () => {
    const mine = await createCaller(t.db);
    const client = await RestClient.create(t.db, mine);
    const made: string[] = [];
    for (let i = 0; i < 7; i += 1) {
      const { body } = await client.post("/sources", { type: i % 2 ? "rss" : "api", name: `Harbour ${i}%` });
      made.push(body.id);
    }
    await client.post(`/sources/${made[3]}/pause`);
    const seen: string[] = [];
    let after = "";
    do {
      const { body } = await client.get(`/sources?limit=3${after && `&after=${after}`}`);
      seen.push(...body.items.map((item: { id: string }) => item.id));
      after = body.nextAfter ?? "";
    } while (after);
    expect(seen).toEqual(made);
    const ids = async (query: string) =>
      (await client.get(`/sources?${query}`)).body.items.map((item: { id: string }) => item.id);
    expect(await ids("status=paused")).toEqual([made[3]]);
    expect(await ids("type=rss")).toEqual([made[1], made[3], made[5]]);
    expect(await ids("q=HARBOUR%202")).toEqual([made[2]]);
    expect(await ids("q=%25")).toEqual(made);
    expect(await ids("q=_")).toEqual([]);
  });

  it("takes the same number of queries for one source as for fifty", async () => {
    const count = async (sources: number) => {
      const mine = await createCaller(t.db);
      const client = await RestClient.create(t.db, mine);
      for (let i = 0; i < sources; i += 1)
        await client.post("/sources", { type: "api", name: `S${i}`, feeds: [{ externalKey: "a" }] });
      const counting = countingDb(t.db);
      const counted = new RestClient(counting.db, client.token);
      await counted.get("/sources?limit=1"); // the token is remembered from here on
      const before = counting.queries();
      expect((await counted.get("/sources")).body.items).toHaveLength(sources);
      expect((await counted.get(`/runs`)).status).toBe(200);
      return counting.queries() - before;
    };
    expect(await count(50)).toBe(await count(1));
  });
});
