import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Caller } from "@/server/actor";
import { useDatabase } from "@/test/database";
import { createCaller, createFeed } from "@/test/factories";
import { GraphqlClient, useGraphqlServer } from "@/test/graphql-client";
import { RestClient } from "@/test/rest-client";

const t = useDatabase();
const server = useGraphqlServer(t);
let caller: Caller;
let api: GraphqlClient;
let rest: RestClient;

beforeAll(async () => {
  caller = await createCaller(t.db);
  api = await GraphqlClient.create(server.url, t.db, caller);
  rest = await RestClient.create(t.db, caller);
});

describe("the mutation as it is written in the reference", () => {
  it("stores the document and moves the cursor", async () => {
    const feed = await createFeed(t.db, caller, { cursor: "2026-06-13T21:00:00Z", watermark: "date" });
    const answer =
      await api.ask(`mutation { ingestDocuments(sourceId: "${feed.sourceId}", feedId: "${feed.id}",
      cursor: "2026-06-14T09:00:00Z", cursorBefore: "2026-06-13T21:00:00Z",
      documents: [{ id: "a", text: "Ebb" }]) { documentsIndexed documentsSkipped cursor } }`);
    expect(answer).toMatchObject({
      status: 200,
      data: { ingestDocuments: { documentsIndexed: 1, documentsSkipped: 0, cursor: "2026-06-14T09:00:00Z" } },
      errors: [],
    });
    const { items } = (
      await api.ask(`{ documents(feedId: "${feed.id}") { items { id externalId seq } nextAfter } }`)
    ).data.documents;
    expect(items).toMatchObject([{ externalId: "a" }]);
    expect((await api.ask(`{ document(id: "${items[0].id}") { text deleted } }`)).data.document).toEqual({
      text: "Ebb",
      deleted: false,
    });
    // Again: nothing changes.
    expect((await rest.get(`/documents/${items[0].id}`)).body.seq).toBe(items[0].seq);
  });
});

const PUSH = `mutation Push($feedId: ID!, $documents: [DocumentInput!]!, $cursor: Cursor, $before: Cursor, $runId: ID) {
  ingestDocuments(feedId: $feedId, documents: $documents, cursor: $cursor, cursorBefore: $before, runId: $runId) {
    documentsIndexed documentsSkipped documentsDeleted created updated
    documentsRejected { index id code message } cursor cursorOutcome conflict warnings { code message } runId
  } }`;

/** How a feed stands, without what differs from feed to feed. */
async function storedState(feedId: string) {
  const feed = await t.db.feed.findFirstOrThrow({ where: { id: feedId } });
  const documents = await t.db.document.findMany({ where: { feedId }, orderBy: { seq: "asc" } });
  const transitions = await t.db.cursorTransition.findMany({ where: { feedId }, orderBy: { id: "asc" } });
  const rejections = await t.db.rejectedDocument.findMany({ where: { feedId }, orderBy: { id: "asc" } });
  return {
    feed: { cursor: feed.cursor, watermark: feed.watermark, documentCount: feed.documentCount },
    documents: documents.map(({ externalId, version, state, title, text, metadata, format }) => ({
      externalId,
      version,
      state,
      title,
      text,
      metadata,
      format,
    })),
    transitions: transitions.map(({ from, to, outcome, conflict }) => ({ from, to, outcome, conflict })),
    rejections: rejections.map(({ code, externalId, payload }) => ({ code, externalId, payload })),
  };
}

describe("what is stored is what REST stores", () => {
  const OLD = "2026-06-13T21:00:00Z";
  const NEW = "2026-06-14T09:00:00Z";
  const documents = [
    {
      id: "a",
      version: 3,
      title: "Ebb",
      text: "out",
      metadata: { lang: "en", n: [1, 2.5, null], deep: { ok: true } },
    },
    { id: 7, version: "1", format: "html", text: "<p>x</p>" },
    { version: "1", text: "no id" },
    { id: "b", version: 2 ** 53 + 2 },
    { id: "c", format: "pdf" },
    { id: "d", version: "2", deleted: true },
  ];
  const cases: Record<
    string,
    { stored?: string | null; watermark?: "date" | "token" | "idSet"; body: object }
  > = {
    "no cursor": { body: {} },
    "a null cursor": { stored: OLD, body: { cursor: null } },
    "an advance without a check": { stored: OLD, body: { cursor: NEW } },
    "an advance after what was read": { stored: OLD, body: { cursor: NEW, cursorBefore: OLD } },
    "a conflict, but ahead": { stored: OLD, body: { cursor: NEW, cursorBefore: "2026-06-12T00:00:00Z" } },
    "cursorBefore null where something is stored": { stored: OLD, body: { cursor: NEW, cursorBefore: null } },
    "cursorBefore null where nothing is stored": { stored: null, body: { cursor: NEW, cursorBefore: null } },
    "a cursor that is behind": { stored: NEW, body: { cursor: OLD } },
    "a writer from before a reset": { stored: OLD, body: { cursor: NEW, cursorBefore: NEW } },
    "a token without a check": { watermark: "token", stored: "t1", body: { cursor: "t2" } },
    "a token with what was read": {
      watermark: "token",
      stored: "t1",
      body: { cursor: "t2", cursorBefore: "t1" },
    },
    "a token by one who read none": {
      watermark: "token",
      stored: null,
      body: { cursor: "t2", cursorBefore: null },
    },
    "an idSet": { watermark: "idSet", stored: null, body: { cursor: { high: "9", recent: ["8"] } } },
  };

  it.each(Object.entries(cases))("%s", async (_, { stored = null, watermark = "date", body }) => {
    const [one, other] = [
      await createFeed(t.db, caller, { cursor: stored, watermark }),
      await createFeed(t.db, caller, { cursor: stored, watermark }),
    ];
    const sent = { documents, ...body };
    const byRest = await rest.post(`/feeds/${one.id}/documents`, sent);
    const { cursorBefore: before, ...rest_ } = sent as { cursorBefore?: unknown };
    const byGraphql = await api.ask(PUSH, {
      feedId: other.id,
      ...rest_,
      ...("cursorBefore" in sent && { before }),
    });
    expect(byRest.status).toBe(200);
    expect(byGraphql).toMatchObject({ status: 200, errors: [] });
    const { runId: _r, ...restResult } = byRest.body;
    const { runId: _g, ...graphqlResult } = byGraphql.data.ingestDocuments;
    expect(graphqlResult).toEqual(restResult);
    expect(await storedState(other.id)).toEqual(await storedState(one.id));
  });

  it("reads what is written out in the query as it reads variables", async () => {
    const [one, other] = [await createFeed(t.db, caller, {}), await createFeed(t.db, caller, {})];
    await rest.post(`/feeds/${one.id}/documents`, {
      documents: [
        {
          id: 7,
          version: 2 ** 53 + 2,
          text: 'say "ebb"\n',
          metadata: { a: [1, 1.5, true, null, { b: "c" }] },
        },
        { id: 8, version: 3, metadata: {} },
      ],
      cursor: { high: "9", recent: ["8"] },
      cursorBefore: null,
    });
    const answer = await api.ask(
      `mutation($b: String) { ingestDocuments(feedId: "${other.id}", cursor: {high: "9", recent: ["8"]}, cursorBefore: null, documents: [
        {id: 7, version: 9007199254740994, text: "say \\"ebb\\"\\n", metadata: {a: [1, 1.5, true, null, {b: $b}]}},
        {id: 8, version: 3, metadata: {}}]) { cursorOutcome } }`,
      { b: "c" },
    );
    expect(answer.errors).toEqual([]);
    expect(await storedState(other.id)).toEqual(await storedState(one.id));
  });
});

describe("what a call may carry", () => {
  let feed: Awaited<ReturnType<typeof createFeed>>;
  const many = (n: number) =>
    Array.from({ length: n }, (_, i) => ({ id: `d${i}`, version: "1", text: "x", title: "t" }));
  beforeEach(async () => {
    feed = await createFeed(t.db, caller, {});
  });

  it("takes 50 documents, as variables and written out", async () => {
    const answer = await api.ask(PUSH, { feedId: feed.id, documents: many(50) });
    expect(answer.data.ingestDocuments).toMatchObject({ documentsIndexed: 50 });
    const inline = many(50)
      .map(
        ({ id }) =>
          `{ id: "${id}", version: "1", text: "x", title: "t", metadata: { a: 1, b: [1, 2, 3], c: { d: "e" } } }`,
      )
      .join(", ");
    const again = await api.ask(
      `mutation { ingestDocuments(feedId: "${feed.id}", documents: [${inline}]) { documentsSkipped } }`,
    );
    expect(again).toMatchObject({ errors: [], data: { ingestDocuments: { documentsSkipped: 50 } } });
  });

  it("refuses 51 as too_many_documents and writes nothing", async () => {
    const answer = await api.ask(PUSH, { feedId: feed.id, documents: many(51) });
    expect(answer).toMatchObject({
      status: 422,
      data: { ingestDocuments: null },
      errors: [{ path: ["ingestDocuments"], extensions: { code: "too_many_documents" } }],
    });
    expect(await t.db.document.count({ where: { feedId: feed.id } })).toBe(0);
  });

  it("refuses a source that is not the feed's, whatever it is spelled like", async () => {
    const other = await createFeed(t.db, caller, {});
    for (const sourceId of [other.sourceId, "src_01jz0000000000000000000000", "nonsense", "\u0000"]) {
      const answer = await api.ask(
        `mutation($s: ID!) { ingestDocuments(sourceId: $s, feedId: "${feed.id}", documents: []) { cursor } }`,
        { s: sourceId },
      );
      expect(answer).toMatchObject({ status: 404, errors: [{ extensions: { code: "feed_not_found" } }] });
    }
  });

  it("keeps the answers of calls that went well beside one that did not", async () => {
    const answer = await api.ask(`mutation {
      good: ingestDocuments(feedId: "${feed.id}", documents: [{ id: "g" }]) { created }
      bad: ingestDocuments(feedId: "feed_01jz0000000000000000000000", documents: []) { created }
      late: ingestDocuments(feedId: "${feed.id}", documents: [{ id: "l" }]) { created } }`);
    expect(answer).toMatchObject({
      status: 200,
      data: { good: { created: 1 }, bad: null, late: { created: 1 } },
      errors: [{ path: ["bad"], extensions: { code: "feed_not_found" } }],
    });
  });

  it("refuses a body over 8 MiB before it is read as JSON", async () => {
    const answer = await api.send(`{"query":"${"x".repeat(8 * 1024 * 1024)}"`);
    expect(answer).toMatchObject({ status: 413, errors: [{ extensions: { code: "body_too_large" } }] });
  });
});
