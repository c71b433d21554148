import pg from "pg";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type Principal, SCOPES } from "@/server/access/principal";
import type { Caller } from "@/server/actor";
import { poolOf } from "@/server/db";
import { ingestDocuments } from "@/server/ingest/ingest-documents";
import { useDatabase } from "@/test/database";
import { createCaller, createFeed } from "@/test/factories";
import { changeEpoch } from "./identity";
import { parsePage, pullChanges } from "./pull-changes";
import { purgeTombstones } from "./purge-tombstones";
import { dropAhead } from "./read-ahead";

const t = useDatabase();
let caller: Caller;
let feedId: string;
/** Before the documents. */
let start: string;
/** The statements that read pages, as they were sent. */
let readings: Promise<unknown>[];

beforeEach(async () => {
  caller = await createCaller(t.db);
  feedId = (await createFeed(t.db, caller)).id;
  start = (await pull("now")).cursor;
  await push(...[..."abcdefghijklmn"].map((id) => ({ id, title: "old" })));
  readings = [];
  const pool = poolOf(t.db) as pg.Pool;
  const query = pool.query.bind(pool) as (config: { text: string }) => Promise<unknown>;
  vi.spyOn(pool, "query").mockImplementation(((config: { text: string }) => {
    const sent = query(config);
    if (config.text?.includes("read_changes")) readings.push(sent);
    return sent;
  }) as never);
});
afterEach(() => {
  dropAhead(t.db);
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const push = (...documents: { id: string; title?: string; deleted?: boolean }[]) =>
  ingestDocuments(t.db, caller, { feedId, documents: documents as never });

async function pull(cursor: string, limit = 2) {
  const principal: Principal = { caller, scopes: new Set(SCOPES), role: null, userId: null, tokenId: null };
  return parsePage(await pullChanges(t.db, principal, caller, { cursor, limit }));
}

/** The cursor after two pages, when the third has been read ahead. */
async function walkTwoPages(): Promise<string> {
  const first = await pull(start);
  const second = await pull(first.cursor);
  await Promise.all(readings);
  return second.cursor;
}

const idsOf = ({ changes }: Awaited<ReturnType<typeof pull>>) =>
  changes.map(({ externalId, document }) => `${externalId} ${document?.title ?? "gone"}`);

describe("a walk that comes back at once", () => {
  it("finds its next pages read already, ever more of them at once", async () => {
    let cursor = await walkTwoPages();
    expect(readings, "a block of two pages").toHaveLength(3);
    const pages = [];
    for (let page = await pull(cursor); ; page = await pull(cursor)) {
      pages.push(idsOf(page));
      cursor = page.cursor;
      await Promise.all(readings);
      if (!page.hasMore) break;
    }
    expect(pages).toEqual([
      ["e old", "f old"],
      ["g old", "h old"],
      ["i old", "j old"],
      ["k old", "l old"],
      ["m old", "n old"],
    ]);
    expect(readings, "and one of what is left").toHaveLength(4);
    expect(idsOf(await pull(cursor))).toEqual([]);
  });

  it("gets pages of another size out of them, and the next block from where those end", async () => {
    const third = await pull(await walkTwoPages(), 3);
    expect(idsOf(third)).toEqual(["e old", "f old", "g old"]);
    await Promise.all(readings);
    expect(readings, "the next block").toHaveLength(4);
    const fourth = await pull(third.cursor, 3);
    expect(idsOf(fourth)).toEqual(["h old", "i old", "j old"]);
    expect(idsOf(await pull(fourth.cursor, 3))).toEqual(["k old", "l old", "m old"]);
    await Promise.all(readings);
    expect(readings, "of h to m, and behind it of n").toHaveLength(5);
  });

  it("has a page read that they do not fill, and then nothing more ahead for a while", async () => {
    const cursor = await walkTwoPages();
    const third = await pull(cursor, 5);
    expect(idsOf(third)).toEqual(["e old", "f old", "g old", "h old", "i old"]);
    expect(readings, "the block, and the page").toHaveLength(4);
    await pull(third.cursor, 5);
    expect(readings).toHaveLength(5);
  });

  it("gets them once: a cursor that is presented again is answered by a new reading", async () => {
    const cursor = await walkTwoPages();
    const third = await pull(cursor);
    await Promise.all(readings);
    expect(readings).toHaveLength(4);
    expect(await pull(cursor)).toEqual(third);
    expect(readings[4]).toBeDefined();
  });

  it("is not disturbed by what happens in other workspaces", async () => {
    const cursor = await walkTwoPages();
    const other = await createCaller(t.db);
    const feed = await createFeed(t.db, other);
    await ingestDocuments(t.db, other, { feedId: feed.id, documents: [{ id: "a" }] });
    expect(idsOf(await pull(cursor))).toEqual(["e old", "f old"]);
    expect(readings, "the next block, and not the page").toHaveLength(4);
  });

  it("shares nothing with a walk with text, or of another feed", async () => {
    const cursor = await walkTwoPages();
    const principal: Principal = { caller, scopes: new Set(SCOPES), role: null, userId: null, tokenId: null };
    const page = parsePage(await pullChanges(t.db, principal, caller, { cursor, limit: 2, text: true }));
    expect(page.changes[0]?.document).toHaveProperty("text", null);
  });
});

describe("what happens between the reading and the request", () => {
  it("is in the page: a document that was changed has left it", async () => {
    const cursor = await walkTwoPages();
    await push({ id: "e", title: "new" });
    expect(idsOf(await pull(cursor))).toEqual(["f old", "g old"]);
  });

  it.each([
    ["and committed since", []],
    ["and committed since, after a younger one", [{ id: "n", title: "new" }]],
  ])("is in the page: a writer that was open when it was read, %s", async (_, younger) => {
    const writer = new pg.Client({ connectionString: t.url });
    await writer.connect();
    await writer.query("BEGIN");
    await writer.query(
      `UPDATE documents SET title = 'new', seq = nextval('document_seq') WHERE feed_id = $1 AND external_id = 'e'`,
      [feedId],
    );
    if (younger.length > 0) await push(...younger);
    const cursor = await walkTwoPages();
    await writer.query("COMMIT");
    await writer.end();
    expect(idsOf(await pull(cursor))).toEqual(["f old", "g old"]);
  });

  it("is in the page: a purge past its place expires the cursor", async () => {
    await push({ id: "a", deleted: true }, { id: "b", deleted: true });
    await push({ id: "n", title: "new" }); // the head is no tombstone, and stays
    const cursor = await walkTwoPages();
    expect(readings, "read ahead").toHaveLength(3);
    await t.db.$executeRaw`
      UPDATE documents SET changed_at = now() - interval '40 days' WHERE feed_id = ${feedId} AND state = 'tombstone'`;
    expect((await purgeTombstones(t.db)).purged).toBe(2);
    await expect(pull(cursor)).rejects.toMatchObject({
      code: "cursor_expired",
      info: { extra: { reason: "horizon" } },
    });
  });

  it("is in the page: a new epoch expires the cursor", async () => {
    const cursor = await walkTwoPages();
    const { epoch } = await t.db.instance.findFirstOrThrow();
    await changeEpoch(t.db, { from: epoch, why: "test" });
    await expect(pull(cursor)).rejects.toMatchObject({
      code: "cursor_expired",
      info: { extra: { reason: "epoch" } },
    });
  });
});

describe("reading ahead is left", () => {
  it("for a second after it was in vain", async () => {
    const cursor = await walkTwoPages();
    await push({ id: "n", title: "new" });
    const third = await pull(cursor);
    expect(readings, "the block, and the page").toHaveLength(4);
    await pull(third.cursor);
    expect(readings, "the fourth page, and only when it was asked for").toHaveLength(5);
  });

  it("for a walk that takes its time", async () => {
    const first = await pull(start);
    const now = performance.now.bind(performance);
    vi.spyOn(performance, "now").mockImplementation(() => now() + 1_500);
    await pull(first.cursor);
    expect(readings).toHaveLength(2);
  });

  it.each([
    ["the first page of a block", 3, ["e old", "f old"]],
    ["the second page of a block", 4, ["g old", "h old"]],
  ])("when %s was not fetched for a second", async (_, count, page) => {
    const first = await pull(start);
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    let { cursor } = await pull(first.cursor);
    await Promise.all(readings);
    if (count === 4) ({ cursor } = await pull(cursor));
    await Promise.all(readings);
    expect(readings).toHaveLength(count);
    vi.advanceTimersByTime(1_500);
    vi.useRealTimers();
    expect(idsOf(await pull(cursor))).toEqual(page);
    expect(readings[count], "read when it was asked for").toBeDefined();
  });
});
