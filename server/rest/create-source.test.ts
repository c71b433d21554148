import { beforeAll, describe, expect, it } from "vitest";
import type { Caller } from "@/server/actor";
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
