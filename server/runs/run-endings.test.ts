import { describe, expect, it } from "vitest";
import { type Cursor, CursorExpired, type Page } from "@/sdk/adapter";
import { deleteFeed } from "@/server/feeds/delete-feed";
import { useDatabase } from "@/test/database";
import { createCaller } from "@/test/factories";
import { anAdapter, createSyncedFeed, LOOPBACK, runFeed } from "@/test/run-feed";
import { executeRun } from "./execute-run";
import { reapRuns } from "./reap-runs";
import { startRun } from "./start-run";

const t = useDatabase();

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
const idSet = (high: string): Cursor => ({ type: "idSet", high, recent: [] });

describe("an upstream that forgot the position", () => {
  const forgetful = (watermark: "idSet" | "token", pages: () => Page[]) =>
    anAdapter(
      async function* ({ cursor }) {
        if (cursor.type !== "none") throw new CursorExpired("history id is too old");
        yield* pages();
      },
      { watermark },
    );

  it("is listed from nothing, its absent documents swept, the reset audited", async () => {
    const { caller, feedId, feedRow, ids } = await setUp({ watermark: "idSet" });
    await runFeed(
      t.db,
      caller,
      feedId,
      anAdapter(async () => ({ documents: docs("a", "b", "c"), cursor: idSet("3") }), { watermark: "idSet" }),
    );
    const run = await runFeed(
      t.db,
      caller,
      feedId,
      forgetful("idSet", () => [{ documents: docs("a", "c"), cursor: idSet("2"), complete: true }]),
    );
    expect(run).toMatchObject({
      status: "succeeded",
      restarted: true,
      listing: true,
      deleted: 1,
      cursorAfter: "2",
    });
    await expect(ids()).resolves.toEqual(["a", "c"]);
    await expect(feedRow()).resolves.toMatchObject({ cursor: "2", documentCount: 2 });
    const transitions = await t.db.cursorTransition.findMany({ where: { feedId }, orderBy: { id: "asc" } });
    expect(transitions.map(({ from, to, outcome }) => [from, to, outcome])).toEqual([
      [null, "3", "advanced"],
      ["3", null, "restart"],
      [null, "2", "advanced"],
    ]);
  });

  it("of a token feed commits the fresh token by compare-and-swap, as resync", async () => {
    const { caller, feedId, ids } = await setUp({ watermark: "token", cursor: "old" });
    const run = await runFeed(
      t.db,
      caller,
      feedId,
      forgetful("token", () => [
        { documents: docs("a") },
        { documents: docs("b"), cursor: { type: "token", value: "fresh" }, complete: true },
      ]),
    );
    expect(run).toMatchObject({
      status: "succeeded",
      restarted: true,
      cursorBefore: "old",
      cursorAfter: "fresh",
    });
    await expect(ids()).resolves.toEqual(["a", "b"]);
    await expect(t.db.cursorTransition.findMany({ where: { feedId } })).resolves.toMatchObject([
      { from: "old", to: "fresh", outcome: "resync", conflict: false },
    ]);
  });

  it.each([
    ["although everything is being listed anew", "3", 2],
    ["of a run that had none to begin with", null, 1],
  ])("%s fails the run instead of going round", async (_, cursor, asked) => {
    const { caller, feedId } = await setUp({ watermark: "idSet", cursor });
    let calls = 0;
    const adapter = anAdapter(
      async () => {
        calls += 1;
        throw new CursorExpired("gone");
      },
      { watermark: "idSet" },
    );
    await expect(runFeed(t.db, caller, feedId, adapter)).resolves.toMatchObject({
      status: "failed",
      error: { origin: "upstream", code: "cursor_expired" },
    });
    expect(calls).toBe(asked);
  });
});

describe("a run that is stopped", () => {
  it("by its time budget is partial, keeps its pages, and goes on next time", async () => {
    const { caller, feedId, feedRow } = await setUp({ watermark: "idSet" });
    // However far it gets in its time: what counts is that it goes on from there.
    const endless = anAdapter(
      async function* ({ cursor }) {
        for (let page = cursor.type === "idSet" ? Number(cursor.high) + 1 : 1; ; page += 1) {
          yield { documents: docs(`p${page}`), cursor: idSet(String(page)) };
        }
      },
      { watermark: "idSet" },
    );
    const first = await runFeed(t.db, caller, feedId, endless, { budgetMs: 1_000 });
    expect(first).toMatchObject({ status: "partial", error: { origin: "tidemark", code: "time_budget" } });
    const pages = Number(first.cursorAfter);
    expect(pages).toBeGreaterThan(0);
    expect(first).toMatchObject({ pages, created: pages });
    await expect(feedRow()).resolves.toMatchObject({
      consecutiveFailures: 0,
      failingSince: null,
      error: null,
    });
    const second = await runFeed(t.db, caller, feedId, endless, { budgetMs: 1_000 });
    expect(second.cursorBefore).toBe(first.cursorAfter);
    expect(Number(second.cursorAfter)).toBeGreaterThan(pages);
  });

  it("ends even when its adapter ignores the signal", async () => {
    const { caller, feedId } = await setUp();
    const deaf = anAdapter(() => new Promise<Page>(() => {}));
    await expect(runFeed(t.db, caller, feedId, deaf, { budgetMs: 50 })).resolves.toMatchObject({
      status: "partial",
    });
  });

  it("with the process is partial and due at once", async () => {
    const { caller, feedId, feedRow } = await setUp({ watermark: "idSet" });
    const process = new AbortController();
    const adapter = anAdapter(
      async function* ({ signal }) {
        yield { documents: docs("a"), cursor: idSet("1") };
        process.abort();
        signal.throwIfAborted();
        yield { documents: docs("b"), cursor: idSet("2") };
      },
      { watermark: "idSet" },
    );
    const run = await runFeed(t.db, caller, feedId, adapter, { signal: process.signal });
    expect(run).toMatchObject({ status: "partial", error: { code: "shutdown" }, cursorAfter: "1" });
    expect((await feedRow()).nextSyncAt).toEqual(run.finishedAt);
  });

  it("because its lease was lost writes nothing more and leaves the record alone", async () => {
    const { caller, feedId, ids } = await setUp({ watermark: "idSet" });
    const { runId } = await startRun(t.db, caller, { feedId, trigger: "manual", executor: "cloud" });
    const adapter = anAdapter(
      async function* () {
        yield { documents: docs("a"), cursor: idSet("1") };
        await t.db
          .$executeRaw`UPDATE sync_runs SET lease_expires_at = now() - interval '1 hour' WHERE id = ${runId}`;
        await reapRuns(t.db);
        yield { documents: docs("b"), cursor: idSet("2") };
      },
      { watermark: "idSet" },
    );
    const status = await executeRun(
      t.db,
      { workspaceId: caller.workspaceId, runId },
      { getAdapter: () => adapter, ...LOOPBACK },
    );
    expect(status).toBe("fenced");
    await expect(ids()).resolves.toEqual(["a"]);
    await expect(t.db.syncRun.findFirst({ where: { id: runId } })).resolves.toMatchObject({
      status: "abandoned",
      pages: 1,
    });
  });

  it("learns from its heartbeat that the lease is lost, without waiting for the upstream", async () => {
    const { caller, feedId } = await setUp();
    const { runId } = await startRun(t.db, caller, { feedId, trigger: "manual", executor: "cloud" });
    const waiting = anAdapter(async ({ signal }) => {
      await t.db
        .$executeRaw`UPDATE sync_runs SET deadline_at = now(), lease_expires_at = now() WHERE id = ${runId}`;
      await reapRuns(t.db);
      return new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    });
    const status = await executeRun(
      t.db,
      { workspaceId: caller.workspaceId, runId },
      { getAdapter: () => waiting, heartbeatMs: 20 },
    );
    expect(status).toBe("fenced");
  });

  it("is nothing to report when its feed was deleted under it", async () => {
    const { caller, feedId } = await setUp();
    const adapter = anAdapter(async () => {
      await deleteFeed(t.db, caller, { feedId });
      return { documents: docs("a") };
    });
    const { runId } = await startRun(t.db, caller, { feedId, trigger: "manual", executor: "cloud" });
    const run = { workspaceId: caller.workspaceId, runId };
    expect(await executeRun(t.db, run, { getAdapter: () => adapter, ...LOOPBACK })).toBe("fenced");
    expect(await t.db.syncRun.findFirstOrThrow({ where: { id: runId } })).toMatchObject({
      status: "cancelled",
    });
  });

  it("is cancelled when its feed is being deleted", async () => {
    const { caller, feedId } = await setUp();
    const adapter = anAdapter(async () => {
      await t.db.feed.updateMany({ where: { id: feedId }, data: { state: "deleting" } });
      return { documents: docs("a") };
    });
    await expect(runFeed(t.db, caller, feedId, adapter)).resolves.toMatchObject({
      status: "cancelled",
      created: 0,
    });
  });
});
