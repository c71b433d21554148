import { beforeAll, describe, expect, it } from "vitest";
import type { Caller } from "@/server/actor";
import { browseDocuments } from "@/server/documents/browse-documents";
import { browseFeeds } from "@/server/feeds/browse-feeds";
import { browseRejections } from "@/server/feeds/browse-rejections";
import { FEED_SORTS, REJECTION_SORTS } from "@/server/feeds/choices";
import { newId } from "@/server/ids";
import { ingestDocuments } from "@/server/ingest/ingest-documents";
import { browseRuns } from "@/server/runs/browse-runs";
import { RUN_SORTS } from "@/server/runs/choices";
import { browseSources } from "@/server/sources/browse-sources";
import { SOURCE_SORTS } from "@/server/sources/choices";
import { useDatabase } from "@/test/database";
import { createCaller } from "@/test/factories";
import type { TablePage } from "./keyset";

const t = useDatabase();
let caller: Caller;
let sourceIds: string[];
let feedIds: string[];
const at = (minute: number) => new Date(Date.UTC(2026, 5, 14, 9, minute));

/** 23 sources with a feed each, with ties and gaps in every column. */
beforeAll(async () => {
  caller = await createCaller(t.db);
  const { workspaceId } = caller;
  sourceIds = Array.from({ length: 23 }, () => newId("src"));
  feedIds = sourceIds.map(() => newId("feed"));
  await t.db.source.createMany({
    data: sourceIds.map((id, i) => ({
      workspaceId,
      id,
      type: i % 4 === 0 ? "api" : "rss",
      name: `Source ${"aBcDe"[i % 5]}`,
      runsOn: "api" as const,
      state: i % 7 === 0 ? ("paused" as const) : ("active" as const),
    })),
  });
  await t.db.feed.createMany({
    data: feedIds.map((id, i) => ({
      workspaceId,
      id,
      sourceId: sourceIds[i] ?? "",
      externalKey: `https://example.org/${i}%_x`,
      name: i % 3 === 0 ? null : `Feed ${i % 6}`,
      lastSuccessAt: i % 3 === 0 ? null : at(i % 4),
      lastNewDocumentAt: i % 5 === 0 ? at(i) : null,
      nextSyncAt: i % 2 === 0 ? at(i % 3) : null,
      failingSince: i % 6 === 1 ? at(1) : null,
      config: i % 2 === 0 ? { group: "Tides" } : {},
      ...(i % 6 === 1 && { error: { code: i % 12 === 1 ? "forbidden" : "unavailable", message: "no" } }),
    })),
  });
  for (const [i, feedId] of feedIds.entries()) {
    const documents = Array.from({ length: i % 4 }, (_, n) => ({
      id: `d${n}`,
      title: n === 1 ? `50%_Ebb ${i}` : `Flow ${i}`,
      ...(n === 2 && { date: at(i).toISOString() }),
    }));
    await ingestDocuments(t.db, caller, { feedId, documents: [...documents, { id: "" }] });
  }
});

type Browse = (page: {
  limit: number;
  after?: string;
  before?: string;
}) => Promise<TablePage<{ id: string }>>;

/** Walks to the end and back; both ways must see the same rows in the same order. */
async function walkBothWays(browse: Browse, limit: number): Promise<string[]> {
  const forward: string[] = [];
  let page = await browse({ limit });
  expect(page.prevBefore).toBeNull();
  const sizes = [page.items.length];
  forward.push(...page.items.map((item) => item.id));
  while (page.nextAfter) {
    page = await browse({ limit, after: page.nextAfter });
    sizes.push(page.items.length);
    forward.push(...page.items.map((item) => item.id));
  }
  const backward = page.items.map((item) => item.id);
  while (page.prevBefore) {
    page = await browse({ limit, before: page.prevBefore });
    backward.unshift(...page.items.map((item) => item.id));
    expect(page.nextAfter).not.toBeNull();
  }
  expect(backward).toEqual(forward);
  expect(new Set(forward).size).toBe(forward.length);
  return forward;
}

const DIRS = ["asc", "desc"] as const;

describe("every order of every table", () => {
  it.each(SOURCE_SORTS.flatMap((sort) => DIRS.map((dir) => ({ sort, dir }))))(
    "sources by $sort $dir",
    async ({ sort, dir }) => {
      const ids = await walkBothWays((page) => browseSources(t.db, caller, { sort, dir, ...page }), 4);
      expect([...ids].sort()).toEqual([...sourceIds].sort());
    },
  );

  it.each(FEED_SORTS.flatMap((sort) => DIRS.map((dir) => ({ sort, dir }))))(
    "feeds by $sort $dir",
    async ({ sort, dir }) => {
      const ids = await walkBothWays((page) => browseFeeds(t.db, caller, { sort, dir, ...page }), 5);
      expect([...ids].sort()).toEqual([...feedIds].sort());
    },
  );

  it.each(RUN_SORTS.flatMap((sort) => DIRS.map((dir) => ({ sort, dir }))))(
    "runs by $sort $dir",
    async ({ sort, dir }) => {
      const ids = await walkBothWays((page) => browseRuns(t.db, caller, { sort, dir, ...page }), 6);
      expect(ids).toHaveLength(23);
    },
  );

  it.each(REJECTION_SORTS.flatMap((sort) => DIRS.map((dir) => ({ sort, dir }))))(
    "rejections by $sort $dir",
    async ({ sort, dir }) => {
      const ids = await walkBothWays((page) => browseRejections(t.db, caller, { sort, dir, ...page }), 7);
      expect(ids).toHaveLength(23);
    },
  );

  it.each(DIRS)("documents by change %s, filtered or not", async (dir) => {
    const all = await walkBothWays((page) => browseDocuments(t.db, caller, { dir, ...page }), 4);
    expect(all).toHaveLength(33); // 0 + 1 + 2 + 3, five times, and 0 + 1 + 2
    const ebb = await walkBothWays(
      (page) => browseDocuments(t.db, caller, { dir, q: "50%_EBB", ...page }),
      3,
    );
    expect(ebb).toHaveLength(11);
    expect(all.filter((id) => ebb.includes(id))).toEqual(ebb);
  });
});

describe("an order", () => {
  it("puts rows without a value last, whichever way it goes", async () => {
    for (const dir of DIRS) {
      const { items } = await browseFeeds(t.db, caller, { sort: "lastSuccess", dir, limit: 200 });
      const values = items.map((feed) => feed.lastSuccessAt);
      const known = values.filter((value) => value !== null);
      expect(values.slice(known.length).every((value) => value === null)).toBe(true);
      expect(known).toEqual(
        [...known].sort((a, b) => (dir === "asc" ? 1 : -1) * (a < b ? -1 : a > b ? 1 : 0)),
      );
    }
  });

  it("by status puts the worst first", async () => {
    const { items } = await browseFeeds(t.db, caller, { sort: "status", limit: 200 });
    const statuses = items.map((feed) => feed.status);
    expect(statuses[0]).toBe("failing");
    expect(statuses.at(-1)).toBe("active");
  });
});

describe("filters", () => {
  it("take signs of LIKE as they are", async () => {
    expect((await browseFeeds(t.db, caller, { q: "/1%_x" })).items).toHaveLength(1);
    expect((await browseFeeds(t.db, caller, { q: "%" })).items).toHaveLength(23);
    expect((await browseFeeds(t.db, caller, { q: "1%x" })).items).toHaveLength(0);
  });

  it("find feeds by cause, group, type and source", async () => {
    const forbidden = await browseFeeds(t.db, caller, { cause: "failing:forbidden", limit: 200 });
    expect(forbidden.items.map((feed) => feed.error?.code)).toEqual(["forbidden", "forbidden"]);
    expect((await browseFeeds(t.db, caller, { cause: "rejections", limit: 200 })).items).toHaveLength(23);
    expect((await browseFeeds(t.db, caller, { group: "Tides", limit: 200 })).items).toHaveLength(12);
    expect((await browseFeeds(t.db, caller, { type: "api", limit: 200 })).items).toHaveLength(6);
    expect((await browseFeeds(t.db, caller, { sourceId: sourceIds[3] })).items).toHaveLength(1);
  });

  it("find documents by their date and their state", async () => {
    const dated = await browseDocuments(t.db, caller, { since: at(0), until: at(8), limit: 200 });
    expect(dated.items.map((item) => item.date)).toEqual([at(7).toISOString(), at(3).toISOString()]);
    expect((await browseDocuments(t.db, caller, { state: "deleted" })).items).toEqual([]);
    const [named] = (await browseDocuments(t.db, caller, { feedId: feedIds[3] })).items;
    expect(named).toMatchObject({ feedName: "https://example.org/3%_x", sourceName: "Source D" });
  });
});

describe("a cursor", () => {
  it("of another list, order, filter, workspace's list or nobody is refused", async () => {
    const { nextAfter } = await browseFeeds(t.db, caller, { sort: "name", limit: 5 });
    const after = nextAfter ?? "";
    const refused = { code: "invalid_request" };
    await expect(browseSources(t.db, caller, { after })).rejects.toMatchObject(refused);
    await expect(browseFeeds(t.db, caller, { sort: "created", after })).rejects.toMatchObject(refused);
    await expect(browseFeeds(t.db, caller, { sort: "name", dir: "desc", after })).rejects.toMatchObject(
      refused,
    );
    await expect(browseFeeds(t.db, caller, { sort: "name", q: "x", after })).rejects.toMatchObject(refused);
    await expect(browseFeeds(t.db, caller, { sort: "name", after, before: after })).rejects.toMatchObject(
      refused,
    );
    for (const text of ["", "x", "[]", '["a",1,2]', '{"a":1}']) {
      const forged = Buffer.from(text).toString("base64url") || "AA";
      await expect(browseFeeds(t.db, caller, { after: forged })).rejects.toMatchObject(refused);
    }
  });

  it("with a value that does not cast is refused, not an error of the database", async () => {
    const { nextAfter } = await browseFeeds(t.db, caller, { sort: "documents", limit: 5 });
    const [mark, , id] = JSON.parse(Buffer.from(nextAfter ?? "", "base64url").toString());
    for (const value of ["x", "1e9", "NaN", null, "1; DROP TABLE feeds", "9".repeat(400)]) {
      const after = Buffer.from(JSON.stringify([mark, value, id])).toString("base64url");
      await expect(browseFeeds(t.db, caller, { sort: "documents", after })).rejects.toMatchObject({
        code: "invalid_request",
      });
    }
  });

  it("leads on although its row is gone", async () => {
    const other = await createCaller(t.db);
    const { workspaceId } = other;
    const ids = ["a", "b", "c", "d"].map(() => newId("src"));
    await t.db.source.createMany({
      data: ids.map((id, i) => ({ workspaceId, id, type: "api", name: `S${i}`, runsOn: "api" as const })),
    });
    const first = await browseSources(t.db, other, { sort: "name", limit: 2 });
    await t.db.source.deleteMany({ where: { workspaceId, name: "S1" } });
    const next = await browseSources(t.db, other, { sort: "name", limit: 2, after: first.nextAfter ?? "" });
    expect(next.items.map((source) => source.name)).toEqual(["S2", "S3"]);
  });
});
