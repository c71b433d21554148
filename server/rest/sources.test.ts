import { beforeAll, describe, expect, it } from "vitest";
import type { Caller } from "@/server/actor";
import { countingDb } from "@/test/counting-db";
import { useDatabase } from "@/test/database";
import { createCaller } from "@/test/factories";
import { RestClient } from "@/test/rest-client";
import { feedSchema, sourceSchema } from "./schemas";

const t = useDatabase();
let caller: Caller;
let api: RestClient;

beforeAll(async () => {
  caller = await createCaller(t.db);
  api = await RestClient.create(t.db, caller);
});

describe("creating a source", () => {
  it("answers 201 with the source and its feeds", async () => {
    const { status, body } = await api.post("/sources", {
      type: "api",
      name: "Pushes",
      config: { colour: "teal" },
      feeds: [
        { externalKey: "a" },
        { externalKey: "b", name: "Second", watermark: "idSet", intervalSeconds: 60 },
      ],
    });
    expect(status).toBe(201);
    sourceSchema.parse(body);
    expect(body).toMatchObject({
      type: "api",
      name: "Pushes",
      key: null,
      config: { colour: "teal" },
      runsOn: "api",
      status: "active",
      feedCount: 2,
      documentCount: 0,
    });
    expect(body.feeds.map((feed: unknown) => feedSchema.parse(feed))).toMatchObject([
      {
        externalKey: "a",
        watermark: null,
        cursor: null,
        status: "active",
        nextSyncAt: null,
        displayName: "a",
      },
      { externalKey: "b", name: "Second", watermark: "idSet", intervalSeconds: 60 },
    ]);
    expect((await api.get(`/sources/${body.id}`)).body).toMatchObject({ id: body.id, feedCount: 2 });
  });

  it("makes a cloud feed due at once, with its adapter's watermark", async () => {
    const { body } = await api.post("/sources", {
      type: "rss",
      name: "News",
      feeds: [{ externalKey: "https://example.org/feed.xml" }],
    });
    expect(body).toMatchObject({ runsOn: "cloud", config: {} });
    expect(body.feeds[0].watermark).toBe("date");
    expect(Date.parse(body.feeds[0].nextSyncAt)).toBeLessThanOrEqual(Date.now());
  });

  it("refuses an unknown type with the path `type`, and keeps nothing", async () => {
    const before = await t.db.source.count();
    const { status, body } = await api.post("/sources", { type: "fax", name: "Fax", key: "fax" });
    expect({ status, code: body.code }).toEqual({ status: 422, code: "invalid_request" });
    expect(body.errors).toMatchObject([{ path: "type" }]);
    expect(await t.db.source.count()).toBe(before);
  });

  it("refuses what an adapter cannot take with paths, and keeps nothing", async () => {
    const before = await t.db.source.count();
    const bad = [
      [
        { type: "rss", feeds: [{ externalKey: "https://example.org/a" }, { externalKey: "not a url" }] },
        "feeds[1].externalKey",
      ],
      [{ type: "rss", feeds: [{ externalKey: "file:///etc/passwd" }] }, "feeds[0].externalKey"],
      [
        { type: "rss", feeds: [{ externalKey: "https://example.org/a", watermark: "token" }] },
        "feeds[0].watermark",
      ],
      [{ type: "api", runsOn: "cloud" }, "runsOn"],
      [{ type: "api", credentials: { type: "basic", username: "u", password: "p" } }, "credentials.type"],
      [{ type: "api", config: "text" }, "config"],
      [{ type: "api", config: { note: "a\u0000b" } }, "config"],
      [{ type: "api", config: { note: "\ud800" } }, "config"],
      [{ type: "api", name: "a\u0000b" }, "name"],
      [{ type: "api", feeds: [{ externalKey: "x".repeat(8193) }] }, "feeds[0].externalKey"],
      [{ type: "api", feeds: [{ externalKey: "a", intervalSeconds: 2 ** 40 }] }, "feeds[0].intervalSeconds"],
      [{ name: "no type", type: undefined }, "type"],
      [{ type: "api", name: undefined }, "name"],
    ] as const;
    for (const [body, path] of bad) {
      const answer = await api.post("/sources", { name: "Bad", ...body });
      expect(answer, path).toMatchObject({ status: 422, body: { code: "invalid_request" } });
      expect(answer.body.errors[0].path).toBe(path);
    }
    expect(await t.db.source.count()).toBe(before);
  });

  it("ensures by key: the same one comes back, and gets the feeds it lacks", async () => {
    const first = await api.post("/sources", {
      type: "api",
      name: "One",
      key: "team/notes",
      feeds: [{ externalKey: "a" }],
    });
    const again = await api.post("/sources", {
      type: "api",
      name: "Other",
      key: "team/notes",
      feeds: [{ externalKey: "b" }, { externalKey: "a" }],
    });
    expect([first.status, again.status]).toEqual([201, 200]);
    expect(again.body).toMatchObject({ id: first.body.id, name: "One", key: "team/notes", feedCount: 2 });
    expect(again.body.feeds[1].id).toBe(first.body.feeds[0].id);
    expect(await api.post("/sources", { type: "rss", name: "X", key: "team/notes" })).toMatchObject({
      status: 409,
      body: { code: "conflict" },
    });
  });

  it("makes one source and one feed of twenty calls at once", async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, () =>
        api.post("/sources", { type: "api", name: "Race", key: "race", feeds: [{ externalKey: "only" }] }),
      ),
    );
    expect(
      answers
        .map((answer) => answer.status)
        .sort()
        .slice(-2),
    ).toEqual([200, 201]);
    expect(new Set(answers.map((answer) => answer.body.id)).size).toBe(1);
    expect(new Set(answers.map((answer) => answer.body.feeds[0].id)).size).toBe(1);
  });
});

describe("secrets in feed URLs and credentials (F43)", () => {
  it("never come back out, and the same URL finds its feed again", async () => {
    const url = "https://user:pa55word@example.org/feed?key=s3cr3t-value&page=2";
    const { body } = await api.post("/sources", {
      type: "rss",
      name: "Private",
      feeds: [{ externalKey: url }],
      credentials: { type: "basic", username: "ada", password: "h0p-per" },
    });
    const [feed] = body.feeds;
    expect(body.hasCredentials).toBe(true);
    expect(feed.externalKey).toContain("page=2");
    const again = await api.post(`/sources/${body.id}/feeds`, { externalKey: url });
    expect(again).toMatchObject({ status: 200, body: { id: feed.id } });
    const asShown = await api.post(`/sources/${body.id}/feeds`, { externalKey: feed.externalKey });
    expect(asShown).toMatchObject({ status: 200, body: { id: feed.id } });
    const otherSecret = await api.post(`/sources/${body.id}/feeds`, {
      externalKey: url.replace("s3cr3t-value", "0ther-value"),
    });
    expect(otherSecret.status).toBe(201);

    await api.post(`/feeds/${feed.id}/pause`);
    const shown = [
      body,
      (await api.get(`/sources/${body.id}`)).body,
      (await api.get(`/sources/${body.id}/feeds`)).body,
      (await api.patch(`/feeds/${feed.id}`, { name: null })).body,
      await t.db.auditEntry.findMany(),
      await t.db.feed.findMany(),
      await t.db.source.findMany(),
    ];
    const text = JSON.stringify(shown, (_, value) => (typeof value === "bigint" ? String(value) : value));
    for (const secret of ["pa55word", "s3cr3t-value", "h0p-per", "0ther-value"])
      expect(text).not.toContain(secret);
  });

  it("leave the vault with what they belonged to", async () => {
    const before = await t.db.credential.count();
    const { body } = await api.post("/sources", {
      type: "rss",
      name: "Short-lived",
      feeds: [{ externalKey: "https://example.org/feed?token=abcdefghij" }],
      credentials: { type: "basic", username: "a", password: "b" },
    });
    expect(await t.db.credential.count()).toBe(before + 2);
    expect((await api.delete(`/sources/${body.id}`)).status).toBe(204);
    expect(await t.db.credential.count()).toBe(before);
  });

  it("are replaced and forgotten by PATCH", async () => {
    const { body } = await api.post("/sources", {
      type: "rss",
      name: "Creds",
      feeds: [{ externalKey: "https://example.org/1" }],
    });
    await t.db.feed.updateMany({ where: { sourceId: body.id }, data: { state: "needs_reconnect" } });
    expect((await api.get(`/sources/${body.id}`)).body.status).toBe("needs_reconnect");
    const withOnes = await api.patch(`/sources/${body.id}`, {
      credentials: { type: "basic", username: "u", password: "p" },
    });
    expect(withOnes.body).toMatchObject({ hasCredentials: true, status: "active" });
    expect((await api.patch(`/sources/${body.id}`, { credentials: null })).body.hasCredentials).toBe(false);
  });
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
