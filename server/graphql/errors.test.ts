import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Caller } from "@/server/actor";
import type { Db } from "@/server/db";
import { log } from "@/server/log";
import { useDatabase } from "@/test/database";
import { createCaller, createFeed } from "@/test/factories";
import { GraphqlClient, useGraphqlServer } from "@/test/graphql-client";

const t = useDatabase();
const server = useGraphqlServer(t);
let caller: Caller;
let api: GraphqlClient;

beforeAll(async () => {
  caller = await createCaller(t.db);
  api = await GraphqlClient.create(server.url, t.db, caller);
});

describe("every answer", () => {
  it("bears the caller's request id, in the header and in each error", async () => {
    const good = await api.send('{"query":"{ sources { nextAfter } }"}', { "x-request-id": "mine-1" });
    expect(good.headers.get("x-request-id")).toBe("mine-1");
    const bad = await api.send('{"query":"{ a: feed(id: \\"x\\") { id } b: source(id: \\"x\\") { id } }"}', {
      "x-request-id": "mine-2",
    });
    expect(bad.headers.get("x-request-id")).toBe("mine-2");
    expect(bad.errors.map(({ extensions }) => extensions)).toEqual([
      { code: "feed_not_found", requestId: "mine-2" },
      { code: "not_found", requestId: "mine-2" },
    ]);
    expect((await api.ask("{")).headers.get("x-request-id")).toMatch(/^req_[0-9a-f]{24}$/);
  });

  it("is for nobody's cache, and typed as it was asked for", async () => {
    const answer = await api.ask("{ __typename }");
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(answer.headers.get("content-type")).toBe("application/json; charset=utf-8");
    const modern = await api.send('{"query":"{ __typename }"}', {
      accept: "application/graphql-response+json",
    });
    expect(modern.headers.get("content-type")).toBe("application/graphql-response+json; charset=utf-8");
  });
});

describe("what is no query", () => {
  const bodies: [string, string, number, string][] = [
    ["broken JSON", '{"query":', 400, "malformed_json"],
    ["an empty body", "", 422, "invalid_request"],
    ["a batch", '[{"query":"{ __typename }"}]', 422, "invalid_request"],
    ["a query that is a number", '{"query":1}', 422, "invalid_request"],
    ["no query", "{}", 422, "invalid_request"],
    ["variables that are a list", '{"query":"{ __typename }","variables":[1]}', 422, "invalid_request"],
    ["a name that is a number", '{"query":"{ __typename }","operationName":7}', 422, "invalid_request"],
    ["a mistake in the text", '{"query":"{ sources {"}', 400, "invalid_request"],
    ["an unknown field", '{"query":"{ nonsense }"}', 422, "invalid_request"],
    [
      "a name that the text has not",
      '{"query":"query A { __typename }","operationName":"B"}',
      422,
      "invalid_request",
    ],
    [
      "two operations and no name",
      '{"query":"query A { __typename } query B { __typename }"}',
      422,
      "invalid_request",
    ],
    ["a subscription", '{"query":"subscription { changes { cursor } }"}', 422, "invalid_request"],
  ];
  it.each(bodies)("%s", async (_, body, status, code) => {
    const answer = await api.send(body);
    expect(answer).toMatchObject({ status, data: undefined, errors: [{ extensions: { code } }] });
  });

  it("says which argument is of the wrong type, and writes nothing", async () => {
    const feed = await createFeed(t.db, caller, {});
    const wrong = [
      `ingestDocuments(feedId: "${feed.id}", documents: [{ id: "a", title: 7 }]) { cursor }`,
      `ingestDocuments(feedId: "${feed.id}", documents: [{ id: "a", nonsense: 7 }]) { cursor }`,
      `ingestDocuments(feedId: "${feed.id}", documents: "a") { cursor }`,
      `ingestDocuments(documents: []) { cursor }`,
      `startSyncRun(feedId: "${feed.id}", listing: "yes") { runId }`,
      `startSyncRun(feedId: "${feed.id}", trigger: moon) { runId }`,
      `startSyncRun(feedId: "${feed.id}", trigger: "moon") { runId }`,
      `resetFeed(feedId: "${feed.id}", reason: "x") { effect }`,
      `resetFeed(feedId: "${feed.id}", to: null, reason: "") { effect }`,
      `createSource(type: "api", name: "") { id }`,
      `createSource(type: "api", name: "x", config: date) { id }`,
    ];
    for (const call of wrong) {
      const answer = await api.ask(`mutation { ${call} }`);
      expect(answer, call).toMatchObject({
        status: 422,
        errors: [{ extensions: { code: "invalid_request" } }],
      });
    }
    const byVariable = await api.ask(
      'mutation($d: [DocumentInput!]!) { ingestDocuments(feedId: "x", documents: $d) { cursor } }',
      { d: [{ id: "a", deleted: "yes" }] },
    );
    expect(byVariable).toMatchObject({ status: 422, errors: [{ extensions: { code: "invalid_request" } }] });
    expect(await t.db.document.count()).toBe(0);
    const outOfRange = await api.ask("{ sources(limit: 201) { nextAfter } }");
    expect(outOfRange).toMatchObject({
      status: 422,
      errors: [{ extensions: { errors: [{ path: "limit" }] } }],
    });
  });

  it("quotes no more of a long value than helps", async () => {
    const answer = await api.ask(`{ sources(limit: "${"x".repeat(100_000)}") { nextAfter } }`);
    expect(JSON.stringify(answer.errors).length).toBeLessThan(2000);
  });
});

describe("what means the same", () => {
  it("an enum with quotes and without, a null variable and none", async () => {
    const feed = await createFeed(t.db, caller, {});
    for (const trigger of ["manual", '"manual"']) {
      const { data } = await api.ask(
        `mutation { startSyncRun(feedId: "${feed.id}", trigger: ${trigger}) { runId } }`,
      );
      const { runId } = data.startSyncRun;
      const ended = await api.ask(
        `mutation($e: JSON) { finishSyncRun(runId: "${runId}", status: "partial", error: $e) { status trigger } }`,
        { e: null },
      );
      expect(ended.data.finishSyncRun).toEqual({ status: "partial", trigger: "manual" });
    }
    const pages = "query($l: Int, $a: String) { sources(limit: $l, after: $a) { nextAfter } }";
    expect(await api.ask(pages, { l: null, a: null })).toMatchObject({ status: 200, errors: [] });
  });

  it("a gzip body", async () => {
    const body = gzipSync('{"query":"{ __typename }"}');
    expect(await api.send(body, { "content-encoding": "gzip" })).toMatchObject({
      data: { __typename: "Query" },
    });
  });
});

describe("what nobody expected", () => {
  const lines: unknown[] = [];
  const broken = {} as { db: Db };
  const { error } = log;
  beforeAll(() => {
    const syncRun = { findMany: () => Promise.reject(new Error('column "secret_hash" of relation "vault"')) };
    broken.db = new Proxy(t.db, {
      get: (target, name) => (name === "syncRun" ? syncRun : Reflect.get(target, name)),
    });
    log.error = ((line: unknown) => void lines.push(line)) as typeof log.error;
  });
  afterAll(() => {
    log.error = error;
  });
  const brokenServer = useGraphqlServer(broken);

  it("stays in the log, whole, under the request id that the answer names", async () => {
    const client = new GraphqlClient(brokenServer.url, api.token);
    const answer = await client.ask("{ syncRuns { nextAfter } sources { nextAfter } }");
    expect(answer).toMatchObject({
      status: 200,
      data: { syncRuns: null, sources: { nextAfter: null } },
      errors: [{ path: ["syncRuns"], extensions: { code: "internal_error" } }],
    });
    expect(JSON.stringify(answer)).not.toMatch(/secret_hash|vault|at .*\.ts/);
    const { requestId } = answer.errors[0].extensions;
    expect(answer.errors[0].message).toContain(requestId);
    expect(lines).toContainEqual(expect.objectContaining({ requestId, err: expect.any(Error) }));
    expect((await client.ask("{ syncRuns { nextAfter } }")).status).toBe(500);
  });
});
