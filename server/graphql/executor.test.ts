import { beforeAll, describe, expect, it } from "vitest";
import type { Caller } from "@/server/actor";
import { useDatabase } from "@/test/database";
import { createCaller } from "@/test/factories";
import { GraphqlClient, useGraphqlServer } from "@/test/graphql-client";

const t = useDatabase();
const server = useGraphqlServer(t);
let caller: Caller;
let api: GraphqlClient;

beforeAll(async () => {
  caller = await createCaller(t.db);
  api = await GraphqlClient.create(server.url, t.db, caller);
});

/** The data of a call that must go well. */
async function ask(query: string, variables?: Record<string, unknown>) {
  const answer = await api.ask(query, variables);
  expect(answer).toMatchObject({ status: 200, errors: [] });
  return answer.data;
}

describe("an executor", () => {
  it("ensures its feed, syncs it in a run, meets a conflict, ends, and reads back what it did", async () => {
    const ensureSource =
      'mutation { createSource(type: "api", name: "Notes", key: "exec") { id status runsOn } }';
    const { id: sourceId } = (await ask(ensureSource)).createSource;
    expect((await ask(ensureSource)).createSource.id).toBe(sourceId);
    const ensureFeed = `mutation { addFeed(sourceId: "${sourceId}", externalKey: "default", name: "Inbox", watermark: date) { id cursor watermark } }`;
    const feed = (await ask(ensureFeed)).addFeed;
    expect((await ask(ensureFeed)).addFeed).toEqual(feed);
    expect(feed).toMatchObject({ cursor: null, watermark: "date" });

    const run = (await ask(`mutation { startSyncRun(feedId: "${feed.id}") { runId leaseExpiresAt cursor } }`))
      .startSyncRun;
    expect(run.cursor).toBeNull();
    expect(Date.parse(run.leaseExpiresAt)).toBeGreaterThan(Date.now());
    const second = await api.ask(`mutation { startSyncRun(feedId: "${feed.id}") { runId } }`);
    expect(second).toMatchObject({
      status: 409,
      errors: [{ extensions: { code: "run_active", runId: run.runId } }],
    });

    const push = (id: string, cursor: string, before: string | null) =>
      ask(
        `mutation($before: Cursor) { ingestDocuments(sourceId: "${sourceId}", feedId: "${feed.id}", runId: "${run.runId}",
        cursor: "${cursor}", cursorBefore: $before, documents: [{ id: "${id}", version: "1", text: "x" }])
        { created cursor cursorOutcome conflict warnings { code } runId } }`,
        { before },
      );
    const [one, two, three] = [
      "2026-06-13T21:00:00Z",
      "2026-06-14T09:00:00Z",
      "2026-06-14T21:00:00Z",
    ] as const;
    expect((await push("a", one, null)).ingestDocuments).toMatchObject({
      cursorOutcome: "advanced",
      conflict: false,
    });
    expect((await push("b", two, one)).ingestDocuments).toMatchObject({
      cursorOutcome: "advanced",
      runId: run.runId,
    });
    expect((await push("c", three, one)).ingestDocuments).toMatchObject({
      cursor: three,
      conflict: true,
      warnings: [{ code: "cursor_conflict" }],
    });
    const { leaseExpiresAt } = (
      await ask(`mutation { heartbeatSyncRun(runId: "${run.runId}") { leaseExpiresAt } }`)
    ).heartbeatSyncRun;
    expect(Date.parse(leaseExpiresAt)).toBeGreaterThan(Date.now());

    const ended =
      await ask(`mutation { finishSyncRun(runId: "${run.runId}", status: succeeded, complete: true)
      { id status pages created cursorBefore cursorAfter executor error { code } events { level message } } }`);
    expect(ended.finishSyncRun).toMatchObject({
      status: "succeeded",
      pages: 3,
      created: 3,
      cursorBefore: null,
      cursorAfter: three,
      executor: "api",
      error: null,
      events: expect.any(Array),
    });
    for (const late of [
      `heartbeatSyncRun(runId: "${run.runId}") { leaseExpiresAt }`,
      `finishSyncRun(runId: "${run.runId}", status: failed) { id }`,
    ]) {
      expect(await api.ask(`mutation { ${late} }`)).toMatchObject({
        status: 409,
        errors: [{ extensions: { code: "run_fenced" } }],
      });
    }

    const seen = await ask(`{
      source(id: "${sourceId}") { feedCount documentCount }
      feed(id: "${feed.id}") { cursor documentCount activeRunId status }
      feeds(sourceId: "${sourceId}") { items { id } nextAfter }
      syncRuns(feedId: "${feed.id}", status: "succeeded", limit: 1) { items { id events { at } } nextAfter }
      syncRun(id: "${run.runId}") { actor warnings { code } }
      cursorTransitions(feedId: "${feed.id}", limit: 2) { items { from to conflict } nextAfter }
      documents(feedId: "${feed.id}", limit: 2) { items { externalId text } nextAfter }
      documentByExternalId(feedId: "${feed.id}", externalId: "b") { text }
      changes(feedId: "${feed.id}", limit: 2, text: true) { changes { op externalId document { text } } cursor hasMore }
      changeHead { head }
    }`);
    expect(seen).toMatchObject({
      source: { feedCount: 1, documentCount: 3 },
      feed: { cursor: three, documentCount: 3, activeRunId: null, status: "active" },
      feeds: { items: [{ id: feed.id }], nextAfter: null },
      syncRuns: { items: [{ id: run.runId, events: null }], nextAfter: null },
      syncRun: { actor: { type: "token" }, warnings: [{ code: "cursor_conflict" }] },
      cursorTransitions: {
        items: [{ to: three, conflict: true }, { to: two }],
        nextAfter: expect.any(String),
      },
      documents: {
        items: [{ externalId: "a", text: null }, { externalId: "b" }],
        nextAfter: expect.any(String),
      },
      documentByExternalId: { text: "x" },
      changes: { changes: [{ op: "upsert", externalId: "a", document: { text: "x" } }, {}], hasMore: true },
    });
    const { after, cursor } = { after: seen.documents.nextAfter, cursor: seen.changes.cursor };
    const rest =
      await ask(`{ documents(feedId: "${feed.id}", after: "${after}") { items { externalId } nextAfter }
      changes(feedId: "${feed.id}", cursor: "${cursor}") { changes { externalId } hasMore } }`);
    expect(rest).toEqual({
      documents: { items: [{ externalId: "c" }], nextAfter: null },
      changes: { changes: [{ externalId: "c" }], hasMore: false },
    });
  });

  it("starts over within a run, and a person resets the cursor", async () => {
    const source = (await ask('mutation { createSource(type: "api", name: "Reset") { id } }')).createSource;
    const feed = (
      await ask(`mutation { addFeed(sourceId: "${source.id}", externalKey: "r", watermark: date) { id } }`)
    ).addFeed;
    const at = "2026-06-14T09:00:00Z";
    await ask(
      `mutation { ingestDocuments(feedId: "${feed.id}", cursor: "${at}", documents: [{ id: "a" }]) { cursor } }`,
    );
    const { runId, cursor } = (await ask(`mutation { startSyncRun(feedId: "${feed.id}") { runId cursor } }`))
      .startSyncRun;
    expect(cursor).toBe(at);
    const reset = `resetFeed(feedId: "${feed.id}", to: null, reason: "wrong clock") { from to transitionId documentsKept }`;
    expect(await api.ask(`mutation { ${reset} }`)).toMatchObject({
      status: 409,
      errors: [{ extensions: { code: "run_active" } }],
    });
    expect(
      (await ask(`mutation { restartSyncRun(runId: "${runId}", reason: "gone") { cursor } }`)).restartSyncRun,
    ).toEqual({
      cursor: null,
    });
    const failed =
      await ask(`mutation { finishSyncRun(runId: "${runId}", status: failed, error: { code: "odd", message: "It is odd" })
      { status error { origin code message retryable } } }`);
    expect(failed.finishSyncRun).toEqual({
      status: "failed",
      error: { origin: "upstream", code: "odd", message: "It is odd", retryable: true },
    });
    await ask(
      `mutation { ingestDocuments(feedId: "${feed.id}", cursor: "${at}", documents: []) { cursor } }`,
    );
    expect((await ask(`mutation { ${reset} }`)).resetFeed).toMatchObject({
      from: at,
      to: null,
      documentsKept: 1,
    });
  });

  it("connects a source with its feeds in one call, as REST does, and finds it by a part of its name", async () => {
    const { createSource: source } = await ask(
      `mutation ($feeds: [FeedInput!]) {
        createSource(type: "rss", name: "Tide tables of the harbour", feeds: $feeds,
                     credentials: { type: "basic", username: "mira", password: "ebb-and-flow" },
                     newFeeds: { isOn: true, address: "https://tides.example/", leftOut: ["https://tides.example/b"] })
        { id hasCredentials feedCount newFeeds { isOn address } feeds { externalKey name intervalSeconds runsOn } } }`,
      { feeds: [{ externalKey: "https://tides.example/a", name: "A", intervalSeconds: 3600 }] },
    );
    expect(source).toEqual({
      id: expect.any(String),
      hasCredentials: true,
      feedCount: 1,
      newFeeds: { isOn: true, address: "https://tides.example/" },
      feeds: [{ externalKey: "https://tides.example/a", name: "A", intervalSeconds: 3600, runsOn: "cloud" }],
    });
    const { sources } = await ask(
      '{ sources(q: "of the HARBOUR") { items { id feeds { id } problems { name } } } }',
    );
    expect(sources.items).toEqual([{ id: source.id, feeds: null, problems: [] }]);
    const wrong = await api.ask(
      'mutation { createSource(type: "rss", name: "x", credentials: { type: "bearer", username: "mira" }) { id } }',
    );
    expect(wrong).toMatchObject({
      status: 422,
      errors: [{ extensions: { code: "invalid_request", errors: [{ path: "credentials.token" }] } }],
    });
  });

  it("ends a run with its warnings, and says until when a rate limit lasts", async () => {
    const { id } = (await ask('mutation { createSource(type: "api", name: "Limited") { id } }')).createSource;
    const { addFeed } = await ask(`mutation { addFeed(sourceId: "${id}", externalKey: "l") { id } }`);
    const { startSyncRun } = await ask(`mutation { startSyncRun(feedId: "${addFeed.id}") { runId } }`);
    const retryAt = new Date(Date.now() + 3_600_000).toISOString();
    const { finishSyncRun } = await ask(
      `mutation { finishSyncRun(runId: "${startSyncRun.runId}", status: partial, retryAt: "${retryAt}",
        error: { code: "rate_limited", message: "Too many requests" },
        warnings: [{ code: "page_skipped", message: "Page 7 could not be read." }])
        { status warnings { code message } durations { totalMs } requestId feedName } }`,
    );
    expect(finishSyncRun).toEqual({
      status: "partial",
      warnings: [{ code: "page_skipped", message: "Page 7 could not be read." }],
      durations: { totalMs: null },
      requestId: expect.any(String),
      feedName: "l",
    });
    const { feed } = await ask(`{ feed(id: "${addFeed.id}") { status rateLimitedUntil } }`);
    expect(feed).toEqual({ status: "rate_limited", rateLimitedUntil: retryAt });
  });

  it("learns that its change cursor is of another filter, or none at all", async () => {
    const { cursor } = (await ask('{ changes(cursor: "now") { cursor } }')).changes;
    const source = (await ask('mutation { createSource(type: "api", name: "Filter") { id } }')).createSource;
    expect(
      await api.ask(`{ changes(cursor: "${cursor}", sourceId: "${source.id}") { cursor } }`),
    ).toMatchObject({
      status: 400,
      errors: [{ extensions: { code: "cursor_filter_mismatch" } }],
    });
    expect(await api.ask('{ changes(cursor: "nonsense") { cursor } }')).toMatchObject({
      status: 400,
      errors: [{ extensions: { code: "cursor_invalid" } }],
    });
  });
});
