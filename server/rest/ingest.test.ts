import { beforeAll, describe, expect, it } from "vitest";
import type { Caller } from "@/server/actor";
import { useDatabase } from "@/test/database";
import { createCaller, createFeed } from "@/test/factories";
import { RestClient } from "@/test/rest-client";
import { ingestResultSchema } from "./schemas";

const t = useDatabase();
let caller: Caller;
let api: RestClient;

beforeAll(async () => {
  caller = await createCaller(t.db);
  api = await RestClient.create(t.db, caller);
});

const push = (feedId: string, body: unknown) => api.post(`/feeds/${feedId}/documents`, body);
const find = (feedId: string, id: string) =>
  api.get(`/feeds/${feedId}/documents/by-external-id?id=${encodeURIComponent(id)}`);
const goodItems = (count: number) =>
  Array.from({ length: count }, (_, i) => ({ id: `good-${i}`, text: `t${i}` }));

describe("a push", () => {
  it("answers as the wire says, and is its own run in the audit trail", async () => {
    const feed = await createFeed(t.db, caller);
    const answer = await push(feed.id, {
      cursor: "2026-06-14T09:00:00Z",
      documents: [
        {
          id: "a-17",
          version: "3",
          title: "Ebb",
          text: "…",
          url: "https://example.org",
          author: "Ada",
          date: "2026-06-14T08:59:00Z",
          format: "text",
          metadata: { lang: "en" },
        },
        { id: "a-04", version: "9", deleted: true },
      ],
    });
    expect(answer.status).toBe(200);
    expect(ingestResultSchema.parse(answer.body)).toMatchObject({
      documentsIndexed: 1,
      documentsSkipped: 0,
      documentsDeleted: 1,
      created: 1,
      updated: 0,
      documentsRejected: [],
      cursor: "2026-06-14T09:00:00Z",
      cursorOutcome: "advanced",
      conflict: false,
      warnings: [],
    });
    const run = await api.get(`/runs/${answer.body.runId}`);
    expect(run.body).toMatchObject({
      status: "succeeded",
      executor: "api",
      trigger: "api",
      created: 1,
      deleted: 1,
      requestId: answer.headers.get("x-request-id"),
    });
    expect((await find(feed.id, "a-17")).body).toMatchObject({
      version: "3",
      title: "Ebb",
      metadata: { lang: "en" },
    });
    expect((await find(feed.id, "a-04")).status).toBe(410);
    expect((await api.get(`/feeds/${feed.id}`)).body).toMatchObject({
      watermark: "date",
      documentCount: 1,
      cursor: "2026-06-14T09:00:00Z",
    });
  });

  it("may bring nothing at all", async () => {
    const feed = await createFeed(t.db, caller);
    expect((await push(feed.id, { documents: [] })).body).toMatchObject({
      documentsIndexed: 0,
      cursor: null,
      cursorOutcome: "unchanged",
    });
  });

  it("F07: ends at the highest of 5, 9, 7 and says `kept` to the last", async () => {
    const feed = await createFeed(t.db, caller);
    const outcomes = [];
    for (const cursor of ["5", "9", "7"]) {
      const { body } = await push(feed.id, { documents: [{ id: `at-${cursor}` }], cursor });
      outcomes.push([body.created, body.cursor, body.cursorOutcome]);
    }
    expect(outcomes).toEqual([
      [1, "5", "advanced"],
      [1, "9", "advanced"],
      [1, "9", "kept"],
    ]);
    expect((await api.get(`/feeds/${feed.id}`)).body).toMatchObject({ cursor: "9", documentCount: 3 });
  });

  it("refuses 51 documents whole", async () => {
    const feed = await createFeed(t.db, caller);
    expect(await push(feed.id, { documents: goodItems(51), cursor: "5" })).toMatchObject({
      status: 422,
      body: { code: "too_many_documents" },
    });
    expect(await t.db.document.count({ where: { feedId: feed.id } })).toBe(0);
    expect((await push(feed.id, { documents: goodItems(50) })).body.created).toBe(50);
  });

  it("refuses a cursor that is none of the feed's type, and writes nothing", async () => {
    const cases = [
      ["date", "yesterday"],
      ["date", 5],
      ["idSet", { low: "5" }],
      ["token", "x".repeat(8193)],
      ["none", "5"],
      [null, "a\u0000b"],
      [null, true],
    ] as const;
    for (const [watermark, cursor] of cases) {
      const feed = await createFeed(t.db, caller, { watermark });
      const answer = await push(feed.id, { documents: [{ id: "a" }], cursor });
      expect(answer, `${watermark} ${String(cursor).slice(0, 20)}`).toMatchObject({
        status: 422,
        body: { code: "cursor_invalid" },
      });
      expect(await t.db.document.count({ where: { feedId: feed.id } })).toBe(0);
    }
  });

  it("refuses a frame of the wrong shape with paths", async () => {
    const feed = await createFeed(t.db, caller);
    for (const [body, path] of [
      [{}, "documents"],
      [{ documents: {} }, "documents"],
      [{ documents: [], runId: 5 }, "runId"],
      [{ documents: [], sourceId: [] }, "sourceId"],
      [[], ""],
    ] as const) {
      const answer = await push(feed.id, body);
      expect(answer).toMatchObject({ status: 422, body: { code: "invalid_request", errors: [{ path }] } });
    }
  });

  it("finds no feed under another source's id, nor a run that is none", async () => {
    const feed = await createFeed(t.db, caller);
    const other = await createFeed(t.db, caller);
    for (const sourceId of [other.sourceId, "src_1", "a\u0000b"]) {
      expect(await push(feed.id, { documents: [], sourceId })).toMatchObject({
        status: 404,
        body: { code: "feed_not_found" },
      });
    }
    expect((await push(feed.id, { documents: [], sourceId: feed.sourceId })).status).toBe(200);
    for (const runId of ["run_01jz0000000000000000000000", "nonsense", "a\u0000b"]) {
      expect(await push(feed.id, { documents: [], runId })).toMatchObject({
        status: 409,
        body: { code: "run_fenced" },
      });
    }
  });
});

describe("hostile text", () => {
  it("F28: NUL and lone surrogates never make a 500 nor sink the batch", async () => {
    const feed = await createFeed(t.db, caller);
    const dirty = {
      id: "dirty",
      title: "a\u0000b",
      text: "c\ud800d",
      author: "\u0000",
      url: "https://e.org/\u0000",
      metadata: { "k\u0000": "v\u0000", nested: ["\udc00"] },
    };
    const { status, body } = await push(feed.id, {
      documents: [
        ...goodItems(47),
        dirty,
        { id: "bad\u0000id", text: "x" },
        { id: "bad\ud800id", text: "y" },
      ],
      cursor: "7",
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      created: 48,
      cursor: "7",
      documentsRejected: [
        { index: 48, code: "external_id_invalid" },
        { index: 49, code: "external_id_invalid" },
      ],
    });
    expect((await find(feed.id, "dirty")).body).toMatchObject({
      title: "ab",
      text: "c\ufffdd",
      metadata: { nested: ["\ufffd"] },
    });
    expect((await api.get(`/feeds/${feed.id}/rejections`)).body.items).toHaveLength(2);

    const refused = await push(feed.id, { documents: goodItems(1), cursor: "8\u0000" });
    expect(refused).toMatchObject({ status: 422, body: { code: "cursor_invalid" } });
    expect((await api.get(`/feeds/${feed.id}`)).body.cursor).toBe("7");
  });

  it("rejects what is no object alone, null included", async () => {
    const feed = await createFeed(t.db, caller);
    const documents = [null, 1, "text", [], ...goodItems(1), null];
    const { status, body } = await push(feed.id, { documents });
    expect(status).toBe(200);
    expect(body.created).toBe(1);
    expect(body.documentsRejected.map((item: { index: number }) => item.index)).toEqual([0, 1, 2, 3, 5]);
    const { items } = (await api.get(`/feeds/${feed.id}/rejections`)).body;
    expect(items.map((item: { payload: unknown }) => item.payload)).toContain(null);
  });

  it("refuses a cursor nested deeper than it could be written", async () => {
    const feed = await createFeed(t.db, caller);
    const deep = `${'{"high":'.repeat(100_000)}1${"}".repeat(100_000)}`;
    for (const field of ["cursor", "cursorBefore"]) {
      const raw = `{"documents":[],"${field}":${deep}}`;
      const answer = await api.request("POST", `/feeds/${feed.id}/documents`, { raw });
      expect(answer, field).toMatchObject({ status: 422, body: { code: "cursor_invalid" } });
    }
  });

  it("F30: ids are unique past any index's limit, too long ones are refused alone, long titles stored", async () => {
    const feed = await createFeed(t.db, caller);
    const shared = "i".repeat(3000);
    const title = "T".repeat(100_000);
    const url = `https://example.org/${"u".repeat(100_000)}`;
    const { body } = await push(feed.id, {
      documents: [
        { id: `${shared}a`, title, url },
        { id: `${shared}b` },
        { id: "x".repeat(8192) },
        { id: "é".repeat(4097) },
        { id: "y".repeat(10_000) },
        { id: "z".repeat(100_000) },
      ],
    });
    expect(body.created).toBe(3);
    expect(body.documentsRejected.map((item: { code: string }) => item.code)).toEqual(
      Array(3).fill("external_id_too_long"),
    );
    expect((await find(feed.id, `${shared}a`)).body).toMatchObject({ title, url });
    expect((await find(feed.id, `${shared}b`)).body.title).toBeNull();
    expect((await find(feed.id, "x".repeat(8192))).status).toBe(200);
    expect((await find(feed.id, "z".repeat(60_000))).status).toBe(404);
  });

  it("treats SQL, markup and prototype names as the text they are", async () => {
    const feed = await createFeed(t.db, caller);
    const ids = [
      "'; DROP TABLE documents; --",
      "<script>alert(1)</script>",
      "__proto__",
      "constructor",
      "a/b?c=d&e#f%20",
      "١٢٣",
    ];
    expect(
      (
        await push(feed.id, {
          documents: ids.map((id) => ({ id, metadata: JSON.parse('{"__proto__":{"x":1}}') })),
        })
      ).body.created,
    ).toBe(ids.length);
    for (const id of ids) expect((await find(feed.id, id)).body.externalId).toBe(id);
  });
});
