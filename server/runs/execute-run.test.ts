import { describe, expect, it } from "vitest";
import { type Cursor, UpstreamError } from "@/sdk/adapter";
import { createDb } from "@/server/db";
import { ingestDocuments } from "@/server/ingest/ingest-documents";
import { saveCredential } from "@/server/vault/credentials";
import { useDatabase } from "@/test/database";
import { createCaller } from "@/test/factories";
import { anAdapter, createSyncedFeed, runFeed, useUpstream } from "@/test/run-feed";
import { createRunFetch } from "./open-run";

const t = useDatabase();
const upstream = useUpstream();

async function setUp(feed: Parameters<typeof createSyncedFeed>[2] = {}) {
  const caller = await createCaller(t.db);
  const { id: feedId } = await createSyncedFeed(t.db, caller, feed);
  const feedRow = () => t.db.feed.findFirstOrThrow({ where: { id: feedId } });
  const ids = async () =>
    (await t.db.document.findMany({ where: { feedId, state: "live" }, select: { externalId: true } }))
      .map(({ externalId }) => externalId)
      .sort();
  return { caller, feedId, feedRow, ids };
}

const docs = (...ids: string[]) => ids.map((id) => ({ id, title: id }));
const date = (value: string): Cursor => ({ type: "date", value });
const idSet = (high: string): Cursor => ({ type: "idSet", high, recent: [] });

describe("a walk", () => {
  it("F08: keeps pages 1 and 2 when the adapter throws on page 3, and the next run sends page 3", async () => {
    const { caller, feedId, feedRow, ids } = await setUp({ watermark: "idSet" });
    let broken = true;
    const asked: number[] = [];
    const pages = anAdapter(
      async function* ({ cursor }) {
        for (let page = cursor.type === "idSet" ? Number(cursor.high) + 1 : 1; page <= 5; page += 1) {
          asked.push(page);
          if (page === 3 && broken) throw new Error("socket hung up");
          yield { documents: docs(`p${page}`), cursor: idSet(String(page)) };
        }
      },
      { watermark: "idSet" },
    );
    const first = await runFeed(t.db, caller, feedId, pages);
    expect(first).toMatchObject({
      status: "failed",
      cursorBefore: null,
      cursorAfter: "2",
      pages: 2,
      created: 2,
    });
    expect(first.error).toMatchObject({
      origin: "adapter",
      code: "adapter_failed",
      detail: "Error: socket hung up",
    });
    await expect(feedRow()).resolves.toMatchObject({ cursor: "2", consecutiveFailures: 1 });

    broken = false;
    asked.length = 0;
    await expect(runFeed(t.db, caller, feedId, pages)).resolves.toMatchObject({
      status: "succeeded",
      cursorBefore: "2",
      cursorAfter: "5",
    });
    expect(asked).toEqual([3, 4, 5]);
    await expect(ids()).resolves.toEqual(["p1", "p2", "p3", "p4", "p5"]);
    await expect(feedRow()).resolves.toMatchObject({
      consecutiveFailures: 0,
      failingSince: null,
      error: null,
    });
  });

  // Ordered by update time, pages of one. After the first page was read, an item is touched and jumps
  // to the end.
  function serveByUpdateTime(touched: string) {
    const items = [1, 2, 3, 4].map((n) => ({ id: `i${n}`, at: `2026-06-0${n}T00:00:00Z` }));
    let pagesServed = 0;
    upstream.answer = (request, response) => {
      const query = new URL(request.url ?? "", "http://x").searchParams;
      const list = items
        .filter(({ at }) => at >= (query.get("since") ?? ""))
        .sort((a, b) => a.at.localeCompare(b.at));
      response.end(JSON.stringify(list[Number(query.get("offset"))] ?? null));
      pagesServed += 1;
      for (const item of items)
        if (pagesServed === 1 && item.id === touched) item.at = "2026-06-09T00:00:00Z";
    };
  }
  const readItem = (body: Uint8Array) =>
    JSON.parse(new TextDecoder().decode(body)) as { id: string; at: string } | null;

  it("F05: stores all four items when item 2 jumps to the end of an offset-paged list", async () => {
    const { caller, feedId, ids } = await setUp();
    serveByUpdateTime("i2");
    const byOffset = anAdapter(async function* ({ cursor, fetch }) {
      const since = cursor.type === "date" ? cursor.value : "";
      for (let offset = 0; ; offset += 1) {
        const item = readItem((await fetch(upstream.url(`/?since=${since}&offset=${offset}`))).body);
        if (!item) return;
        yield { documents: docs(item.id), cursor: date(item.at) };
      }
    });
    await runFeed(t.db, caller, feedId, byOffset);
    await runFeed(t.db, caller, feedId, byOffset);
    await expect(ids()).resolves.toEqual(["i1", "i2", "i3", "i4"]);
  });

  it("F05: stores all four when the item that was read jumps and the others slide into its place", async () => {
    const { caller, feedId, ids } = await setUp();
    serveByUpdateTime("i1");
    // Asks from the last stamp on, inclusively, and skips what it knows: nothing can slide past it.
    const byStamp = anAdapter(async function* ({ cursor, fetch }) {
      const seen = new Set<string>();
      let since = cursor.type === "date" ? cursor.value : "";
      for (let offset = 0; ; ) {
        const item = readItem((await fetch(upstream.url(`/?since=${since}&offset=${offset}`))).body);
        if (!item) return;
        offset += 1;
        if (seen.has(`${item.id} ${item.at}`)) continue;
        seen.add(`${item.id} ${item.at}`);
        since = item.at;
        offset = 0;
        yield { documents: docs(item.id), cursor: date(since) };
      }
    });
    await runFeed(t.db, caller, feedId, byStamp);
    await expect(ids()).resolves.toEqual(["i1", "i2", "i3", "i4"]);
  });

  it("commits a page of 120 in slices of 50, cursor and state with the last one only", async () => {
    const { caller, feedId, feedRow } = await setUp({ watermark: "idSet" });
    const big = Array.from({ length: 120 }, (_, i) => ({ id: `d${i}` }));
    const adapter = anAdapter(
      async () => ({
        documents: big,
        cursor: idSet("120"),
        state: { etag: '"x"' },
        hints: { minIntervalSeconds: 1800 },
        feedTitle: "Tides\0",
      }),
      { watermark: "idSet" },
    );
    await expect(runFeed(t.db, caller, feedId, adapter)).resolves.toMatchObject({
      status: "succeeded",
      created: 120,
      pages: 3,
    });
    await expect(feedRow()).resolves.toMatchObject({
      cursor: "120",
      adapterState: { etag: '"x"' },
      hints: { minIntervalSeconds: 1800 },
      upstreamTitle: "Tides",
      documentCount: 120,
    });
    await expect(t.db.cursorTransition.count({ where: { feedId } })).resolves.toBe(1);
  });

  it("hands the adapter what the last page left", async () => {
    const { caller, feedId } = await setUp();
    const seen: unknown[] = [];
    const adapter = anAdapter(async ({ cursor, feed }) => {
      seen.push([cursor, feed.state]);
      return { documents: docs("a"), cursor: date("2026-06-14T09:00:00Z"), state: { n: seen.length } };
    });
    await runFeed(t.db, caller, feedId, adapter);
    await runFeed(t.db, caller, feedId, adapter);
    expect(seen).toEqual([
      [{ type: "none" }, null],
      [date("2026-06-14T09:00:00Z"), { n: 1 }],
    ]);
  });

  it("stops sending cursors after another writer overtook it, and keeps the more advanced one", async () => {
    const { caller, feedId, feedRow } = await setUp({ watermark: "idSet" });
    const adapter = anAdapter(
      async function* () {
        yield { documents: docs("a"), cursor: idSet("1") };
        await ingestDocuments(t.db, caller, { feedId, documents: [{ id: "rival" }], cursor: "9" });
        yield { documents: docs("b"), cursor: idSet("2") };
        yield { documents: docs("c"), cursor: idSet("3") };
      },
      { watermark: "idSet" },
    );
    const run = await runFeed(t.db, caller, feedId, adapter);
    expect(run).toMatchObject({ status: "succeeded", created: 3, cursorAfter: "9" });
    expect((run.warnings as { code: string }[]).map(({ code }) => code)).toEqual([
      "cursor_conflict",
      "cursor_kept",
    ]);
    await expect(feedRow()).resolves.toMatchObject({ cursor: "9", documentCount: 4 });
  });

  it("F37: stores 99 of 100, sets the bad one aside, and moves the cursor", async () => {
    const { caller, feedId, feedRow } = await setUp({ watermark: "idSet" });
    const items = Array.from({ length: 100 }, (_, i) => (i === 40 ? { id: "" } : { id: `d${i}` }));
    const adapter = anAdapter(async () => ({ documents: items, cursor: idSet("100") }), {
      watermark: "idSet",
    });
    for (let i = 0; i < 3; i += 1) await runFeed(t.db, caller, feedId, adapter);
    await expect(feedRow()).resolves.toMatchObject({
      cursor: "100",
      documentCount: 99,
      consecutiveFailures: 0,
    });
    await expect(t.db.rejectedDocument.findMany({ where: { feedId } })).resolves.toMatchObject([
      { code: "external_id_missing", occurrences: 3 },
    ]);
  });

  it("F37: does not take a refused sign-in for bad items", async () => {
    const { caller, feedId, feedRow } = await setUp();
    const adapter = anAdapter(async () => {
      throw new UpstreamError("unauthorized", "example.org answered 401.", { retryable: false, status: 401 });
    });
    await expect(runFeed(t.db, caller, feedId, adapter)).resolves.toMatchObject({
      status: "failed",
      rejected: 0,
      error: { origin: "upstream", code: "unauthorized" },
    });
    await expect(feedRow()).resolves.toMatchObject({ state: "needs_reconnect", nextSyncAt: null });
    await expect(t.db.rejectedDocument.count({ where: { feedId } })).resolves.toBe(0);
  });

  it("asks for no reconnect when the credentials were changed while the run used the former ones", async () => {
    const { caller, feedId, feedRow } = await setUp();
    const { workspaceId } = caller;
    const login = (password: string) => ({ type: "basic", username: "ada", password }) as const;
    const credentialId = await saveCredential(t.db, workspaceId, login("old"));
    await t.db.source.updateMany({ where: { workspaceId }, data: { credentialId } });
    const adapter = anAdapter(async () => {
      await saveCredential(t.db, workspaceId, login("new"), credentialId);
      throw new UpstreamError("unauthorized", "example.org answered 401.", { retryable: false, status: 401 });
    });
    await expect(runFeed(t.db, caller, feedId, adapter)).resolves.toMatchObject({ status: "failed" });
    await expect(feedRow()).resolves.toMatchObject({ state: "active", nextSyncAt: expect.any(Date) });
  });

  it("does not blame the adapter when its fetch finds the database away", async () => {
    const { caller, feedId } = await setUp();
    const away = createDb("postgresql://nobody@127.0.0.1:1/none", 1);
    const adapter = anAdapter(async ({ config, feed, signal, now }) => {
      const opened = {
        feedId,
        externalKey: feed.externalKey,
        name: null,
        url: feed.url,
        feedConfig: {},
        state: null,
      };
      const rest = {
        watermark: "date",
        config,
        credentials: { type: "none" },
        credentialKey: "",
        mask: String,
      } as const;
      const fetch = createRunFetch(
        away,
        caller,
        { ...opened, ...rest },
        { adapter, signal, now, onRequest: undefined, overrides: { allowPrivateNetworks: ["127.0.0.0/8"] } },
      );
      await fetch(upstream.url());
      return { documents: [] };
    });
    const run = await runFeed(t.db, caller, feedId, adapter);
    await away.$disconnect();
    expect(run).toMatchObject({ status: "failed", error: { origin: "tidemark", code: "unavailable" } });
  });

  it("F01: finds a third item with the same stamp, and recognises the other two", async () => {
    const { caller, feedId, ids } = await setUp();
    const items = docs("a", "b").map((item) => ({ ...item, date: "2026-06-14T09:00:00Z" }));
    const adapter = anAdapter(async () => ({ documents: items, cursor: date("2026-06-14T09:00:00Z") }));
    await runFeed(t.db, caller, feedId, adapter);
    const before = await t.db.document.findMany({ where: { feedId }, orderBy: { externalId: "asc" } });
    items.push({ id: "c", title: "c", date: "2026-06-14T09:00:00Z" });
    await expect(runFeed(t.db, caller, feedId, adapter)).resolves.toMatchObject({ created: 1, skipped: 2 });
    await expect(ids()).resolves.toEqual(["a", "b", "c"]);
    const after = await t.db.document.findMany({
      where: { feedId },
      orderBy: { externalId: "asc" },
      take: 2,
    });
    expect(after.map(({ seq }) => seq)).toEqual(before.map(({ seq }) => seq));
  });

  it("F03: a future-dated item cannot pass the run's start, nor hide what comes after", async () => {
    const { caller, feedId, feedRow, ids } = await setUp();
    let items = docs("future", "t1", "t2");
    const adapter = anAdapter(async () => ({ documents: items, cursor: date("2031-06-14T09:00:00Z") }));
    const first = await runFeed(t.db, caller, feedId, adapter);
    expect(first.warnings).toMatchObject([{ code: "cursor_clamped" }]);
    expect(Date.parse((await feedRow()).cursor ?? "")).toBeLessThanOrEqual(first.startedAt?.getTime() ?? 0);
    items = [...items, ...docs("t3", "t4", "t5")];
    await expect(runFeed(t.db, caller, feedId, adapter)).resolves.toMatchObject({ created: 3, skipped: 3 });
    await expect(ids()).resolves.toEqual(["future", "t1", "t2", "t3", "t4", "t5"]);
  });
});
