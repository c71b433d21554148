import { describe, expect, it } from "vitest";
import { useDatabase } from "@/test/database";
import { createFeed } from "@/test/factories";
import { adapterOf, counting, numbered, type Sync, upTo, useOwnRuns } from "@/test/own-runs";
import { CursorExpired, type Page } from "../adapter.ts";
import { pushDocuments } from "../push/push-documents.ts";
import { createMemoryStore } from "../stores/memory-store.ts";
import type { StateStore, SyncStatus } from "./options.ts";

const t = useDatabase();
const own = useOwnRuns(t);
const { sync, lastRun, liveIds, cursorOf } = own;

describe("a run of one's own adapter", () => {
  it("pushes pages with their cursors, goes on from there, and is recorded", async () => {
    const feed = await createFeed(t.db, own.caller, { watermark: "idSet" });
    const statuses: SyncStatus[] = [];
    const first = await sync(feed.id, adapterOf(counting(25)), {
      config: { prefix: "x" },
      trigger: "schedule",
      onStatus: (status) => statuses.push(status),
    });
    expect(first).toMatchObject({
      status: "succeeded",
      pages: 3,
      created: 25,
      cursorBefore: null,
      cursor: "25",
    });
    expect(statuses.map(({ type }) => type)).toEqual(["started", "page", "page", "page"]);
    const second = await sync(feed.id, adapterOf(counting(31)), { config: { prefix: "x" } });
    expect(second).toMatchObject({ pages: 1, created: 6, cursorBefore: "25", cursor: "31", restarts: 0 });

    expect(await liveIds(feed.id)).toHaveLength(31);
    const runs = await t.db.syncRun.findMany({ where: { feedId: feed.id }, orderBy: { id: "asc" } });
    expect(runs).toMatchObject([
      { status: "succeeded", executor: "api", trigger: "schedule", pages: 3, created: 25, cursorAfter: "25" },
      { status: "succeeded", executor: "api", trigger: "api", pages: 1, created: 6, cursorBefore: "25" },
    ]);
    const moves = await t.db.cursorTransition.findMany({
      where: { feedId: feed.id },
      orderBy: { at: "asc" },
    });
    expect(moves.map(({ from, to, runId }) => [from, to, runId === runs[0]?.id])).toEqual([
      [null, "10", true],
      ["10", "20", true],
      ["20", "25", true],
      ["25", "31", false],
    ]);
  });

  it("splits big pages; the cursor comes with the last slice", async () => {
    const feed = await createFeed(t.db, own.caller, { watermark: "idSet" });
    const adapter = adapterOf(async () => ({ documents: numbered(1, 120), cursor: upTo(120) }));
    expect(await sync(feed.id, adapter)).toMatchObject({ pages: 1, created: 120, cursor: "120" });
    expect((await lastRun(feed.id)).pages).toBe(3);
    expect(await t.db.cursorTransition.count({ where: { feedId: feed.id } })).toBe(1);
  });

  it("reads preferences from the source, unless it is given some", async () => {
    const feed = await createFeed(
      t.db,
      own.caller,
      { watermark: "idSet" },
      { config: { prefix: "s", unknown: 1 } },
    );
    await sync(feed.id, adapterOf(counting(1)));
    expect(await liveIds(feed.id)).toEqual(["s-1"]);
    const config = { prefix: 5 } as unknown as { prefix: string };
    await expect(sync(feed.id, adapterOf(counting(1)), { config })).rejects.toMatchObject({
      code: "invalid_option",
      message: expect.stringContaining("prefix:"),
    });
    expect(await t.db.syncRun.count({ where: { feedId: feed.id } })).toBe(1);
  });

  it("sweeps after a complete listing, and only when it listed from the beginning", async () => {
    const feed = await createFeed(t.db, own.caller, { watermark: "idSet" });
    const listing = (last: number): Sync =>
      async function* () {
        yield { documents: numbered(1, last), cursor: upTo(9), complete: true };
      };
    expect(await sync(feed.id, adapterOf(listing(9)))).toMatchObject({ complete: true });
    expect(await sync(feed.id, adapterOf(listing(8)))).toMatchObject({ complete: false });
    expect(await liveIds(feed.id)).toHaveLength(9);
    expect(await sync(feed.id, adapterOf(listing(8)), { listing: true })).toMatchObject({ complete: true });
    expect(await liveIds(feed.id)).toHaveLength(8);
  });

  it("puts the adapter's warnings on the run, and hands them on", async () => {
    const feed = await createFeed(t.db, own.caller, { watermark: "none" });
    const heard: string[] = [];
    const adapter = adapterOf(async ({ log }) => {
      log.info("hello");
      for (let i = 0; i < 3; i++) log.warn("odd_item", "An item was odd.");
      return { documents: numbered(1, 2) };
    }, "none");
    const log = {
      warn: (code: string) => void heard.push(code),
      info: (text: string) => void heard.push(text),
    };
    const { warnings } = await sync(feed.id, adapter, { log });
    expect(warnings).toEqual([{ code: "odd_item", message: "An item was odd." }]);
    expect(heard).toEqual(["hello", "odd_item", "odd_item", "odd_item"]);
    expect((await lastRun(feed.id)).warnings).toEqual(warnings);
  });
});

describe("the adapter's state", () => {
  const remembering = (seen: unknown[]): Sync =>
    async function* ({ feed, cursor }) {
      seen.push(feed.state);
      const next = cursor.type === "idSet" ? Number(cursor.high) + 1 : 1;
      yield { documents: numbered(next, next), cursor: upTo(next), state: { etag: `"${next}"` } };
    };

  it("is kept between runs, and forgotten where somebody else moved or reset the cursor", async () => {
    const feed = await createFeed(t.db, own.caller, { watermark: "idSet" });
    const seen: unknown[] = [];
    const state = createMemoryStore();
    const adapter = adapterOf(remembering(seen));
    await sync(feed.id, adapter, { state });
    await sync(feed.id, adapter, { state });
    await pushDocuments({ ...own.client, feedId: feed.id, documents: [], cursor: "7" });
    await sync(feed.id, adapter, { state });
    await sync(feed.id, adapter, { state, listing: true });
    expect(seen).toEqual([null, { etag: '"1"' }, null, null]);
  });

  it("is not saved before its page is stored", async () => {
    const feed = await createFeed(t.db, own.caller, { watermark: "idSet" });
    const saved: string[] = [];
    const state: StateStore = { load: () => null, save: (text) => void saved.push(text) };
    const adapter = adapterOf(async () => ({
      documents: [],
      cursor: { type: "idSet", high: "\0", recent: [] },
      state: { etag: "x" },
    }));
    await expect(sync(feed.id, adapter, { state })).rejects.toMatchObject({ code: "cursor_invalid" });
    expect(saved).toEqual([]);
    expect(await lastRun(feed.id)).toMatchObject({ status: "failed", error: { origin: "adapter" } });
  });
});

describe("somebody else's writes", () => {
  it("that got ahead make the adapter begin again from the returned cursor", async () => {
    const feed = await createFeed(t.db, own.caller, { watermark: "idSet" });
    const asked: unknown[] = [];
    const restarts: SyncStatus[] = [];
    const adapter = adapterOf(async function* (ctx) {
      asked.push(ctx.cursor.type === "idSet" ? ctx.cursor.high : null);
      for await (const page of counting(50)(ctx) as AsyncIterable<Page>) {
        if (page.cursor?.type === "idSet" && page.cursor.high === "20")
          await pushDocuments({ ...own.client, feedId: feed.id, documents: numbered(1, 40), cursor: "40" });
        yield page;
      }
    });
    const onStatus = (status: SyncStatus) => status.type === "restarting" && restarts.push(status);
    const summary = await sync(feed.id, adapter, { onStatus });
    expect(asked).toEqual([null, "40"]);
    expect(restarts).toEqual([{ type: "restarting", reason: "overtaken", from: "40" }]);
    expect(summary).toMatchObject({ status: "succeeded", restarts: 1, cursor: "50", complete: false });
    expect(summary.warnings).toMatchObject([{ code: "cursor_conflict" }, { code: "cursor_kept" }]);
    expect(await liveIds(feed.id)).toHaveLength(50);
    const run = await t.db.syncRun.findFirstOrThrow({ where: { id: summary.runId } });
    expect(run).toMatchObject({ status: "succeeded", cursorAfter: "50" });
  });

  it("do not end a listing, which goes on without moving the cursor", async () => {
    const feed = await createFeed(t.db, own.caller, { watermark: "idSet", cursor: "5" });
    const adapter = adapterOf(async function* () {
      yield { documents: numbered(1, 10), cursor: upTo(10) };
      await pushDocuments({ ...own.client, feedId: feed.id, documents: [], cursor: "90" });
      yield { documents: numbered(11, 20), cursor: upTo(20) };
      yield { documents: numbered(21, 30), cursor: upTo(30), complete: true };
    });
    const summary = await sync(feed.id, adapter, { listing: true });
    expect(summary).toMatchObject({ restarts: 0, created: 30, cursor: "90", complete: true });
    expect(await cursorOf(feed.id)).toBe("90");
  });

  it("without end do not keep it going round for ever", async () => {
    const feed = await createFeed(t.db, own.caller, { watermark: "idSet" });
    let ahead = 100;
    const adapter = adapterOf(async () => {
      ahead += 100;
      await pushDocuments({ ...own.client, feedId: feed.id, documents: [], cursor: String(ahead) });
      return { documents: numbered(1, 1), cursor: upTo(ahead - 50) };
    });
    expect(await sync(feed.id, adapter)).toMatchObject({ status: "succeeded", restarts: 5, cursor: "700" });
  });

  it("a run in progress is not disturbed", async () => {
    const feed = await createFeed(t.db, own.caller, { watermark: "idSet" });
    const adapter = adapterOf(async () => {
      await expect(sync(feed.id, adapterOf(counting(1)))).rejects.toMatchObject({ code: "run_active" });
      return { documents: numbered(1, 1) };
    });
    expect(await sync(feed.id, adapter)).toMatchObject({ created: 1 });
  });
});

describe("an upstream that forgot the position", () => {
  const forgetting = (watermark: "idSet" | "token"): Sync =>
    async function* ({ cursor, feed }) {
      if (cursor.type !== "none") throw new CursorExpired("410");
      expect(feed.state).toBeNull();
      const fresh = watermark === "token" ? { type: watermark, value: "fresh" } : upTo(3);
      yield { documents: numbered(1, 3), cursor: fresh as Page["cursor"], complete: true };
    };

  it.each([
    ["idSet", "900", "3"],
    ["token", "stale", "fresh"],
  ] as const)("is listed from nothing within the same run: %s", async (watermark, stored, fresh) => {
    const feed = await createFeed(t.db, own.caller, { watermark, cursor: stored });
    await pushDocuments({ ...own.client, feedId: feed.id, documents: [{ id: "d-1" }, { id: "gone" }] });
    const summary = await sync(feed.id, adapterOf(forgetting(watermark), watermark));
    expect(summary).toMatchObject({ restarts: 1, cursorBefore: stored, cursor: fresh, complete: true });
    expect(await liveIds(feed.id)).toEqual(["d-1", "d-2", "d-3"]);
    expect(await lastRun(feed.id)).toMatchObject({ restarted: true, listing: true, cursorAfter: fresh });
  });

  it("twice fails the run instead of going round", async () => {
    const feed = await createFeed(t.db, own.caller, { watermark: "idSet", cursor: "5" });
    const adapter = adapterOf(async () => {
      throw new CursorExpired("again");
    });
    await expect(sync(feed.id, adapter)).rejects.toBeInstanceOf(CursorExpired);
    expect(await lastRun(feed.id)).toMatchObject({ status: "failed", error: { code: "cursor_expired" } });
  });
});
