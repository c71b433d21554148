import { describe, expect, it } from "vitest";
import { reapRuns } from "@/server/runs/reap-runs";
import { useDatabase } from "@/test/database";
import { createFeed } from "@/test/factories";
import { adapterOf, counting, numbered, upTo, useOwnRuns } from "@/test/own-runs";
import { CursorExpired, UpstreamError } from "../adapter.ts";
import type { RunSyncOptions } from "./options.ts";
import { runSync } from "./run-sync.ts";

const t = useDatabase();
const own = useOwnRuns(t);
const { sync, lastRun, liveIds, cursorOf } = own;

describe("what goes wrong", () => {
  it.each([
    [
      new UpstreamError("unavailable", "It is down.", { retryable: true }),
      "failed",
      "upstream",
      "unavailable",
    ],
    [new TypeError("x is undefined"), "failed", "adapter", "adapter_failed"],
  ] as const)("is thrown as it is, and recorded: %s", async (error, status, origin, code) => {
    const feed = await createFeed(t.db, own.caller, { watermark: "idSet" });
    const adapter = adapterOf(async function* () {
      yield { documents: numbered(1, 2), cursor: upTo(2) };
      throw error;
    });
    await expect(sync(feed.id, adapter)).rejects.toBe(error);
    expect(await lastRun(feed.id)).toMatchObject({ status, cursorAfter: "2", error: { origin, code } });
    expect(await liveIds(feed.id)).toHaveLength(2);
  });

  it("a rate limit is no failure: the run is partial and the feed waits", async () => {
    const feed = await createFeed(t.db, own.caller, { watermark: "idSet" });
    const retryAt = new Date(Date.now() + 3_600_000);
    const adapter = adapterOf(async () => {
      throw new UpstreamError("rate_limited", "Later.", { retryable: true, retryAt });
    });
    expect(await sync(feed.id, adapter)).toMatchObject({
      status: "partial",
      retryAt,
      error: { message: "Later." },
    });
    const row = await t.db.feed.findFirstOrThrow({ where: { id: feed.id } });
    expect(row).toMatchObject({ rateLimitedUntil: retryAt, consecutiveFailures: 0 });
  });

  it("shows no secret of the upstream, nor the token", async () => {
    const feed = await createFeed(t.db, own.caller, { watermark: "idSet" });
    const credentials = { type: "basic", username: "me", password: "s3cret-word" } as const;
    const url = "https://up.example/feed?api_key=k3y-of-mine";
    const adapter = adapterOf(async (ctx) => {
      ctx.log.warn("odd", `asked ${ctx.feed.url}`);
      throw new Error(`${ctx.feed.url} refused s3cret-word (bWU6czNjcmV0LXdvcmQ=) ${own.client.token}`);
    });
    await expect(sync("", adapter)).rejects.toMatchObject({ code: "invalid_option" });
    await expect(
      runSync({ adapter, feed: { id: feed.id, url }, client: own.client, credentials }),
    ).rejects.toThrow("refused");
    const run = await lastRun(feed.id);
    const events = await t.db.runEvent.findMany({ where: { runId: run.id } });
    const written = JSON.stringify([run, events], (_, value) => (typeof value === "bigint" ? "" : value));
    expect(written).toContain("refused ***");
    for (const secret of ["s3cret-word", "k3y-of-mine", "bWU6czNj", own.client.token]) {
      expect(written).not.toContain(secret);
    }
  });

  it("its time running out leaves the run partial, and the next one goes on", async () => {
    const feed = await createFeed(t.db, own.caller, { watermark: "idSet" });
    const adapter = adapterOf(async function* (ctx) {
      yield { documents: numbered(1, 1), cursor: upTo(1) };
      // An adapter that knows no signal.
      await new Promise((done) => setTimeout(done, 60_000).unref());
      ctx.signal.throwIfAborted();
    });
    expect(await sync(feed.id, adapter, { budgetMs: 300 })).toMatchObject({
      status: "partial",
      cursor: "1",
      error: { code: "time_budget" },
    });
    expect(await lastRun(feed.id)).toMatchObject({ status: "partial", cursorAfter: "1" });
  });

  it("the own.caller's signal ends it at once with its reason, recorded as partial", async () => {
    const feed = await createFeed(t.db, own.caller, { watermark: "idSet" });
    const ending = new AbortController();
    const reason = new Error("going home");
    const adapter = adapterOf(async function* (ctx) {
      yield { documents: numbered(1, 1), cursor: upTo(1) };
      ending.abort(reason);
      expect(ctx.signal.aborted).toBe(true);
      yield { documents: numbered(2, 2), cursor: upTo(2) };
    });
    await expect(sync(feed.id, adapter, { signal: ending.signal })).rejects.toBe(reason);
    expect(await lastRun(feed.id)).toMatchObject({ status: "partial", error: { code: "stopped" } });
    expect(await cursorOf(feed.id)).toBe("1");
  });

  it("is said before a run is started where it can be", async () => {
    const dated = await createFeed(t.db, own.caller, { watermark: "date" });
    const unknown = await createFeed(t.db, own.caller);
    await expect(sync(dated.id, adapterOf(counting(1)))).rejects.toMatchObject({ code: "invalid_option" });
    await expect(sync(unknown.id, adapterOf(counting(1), "token"))).rejects.toMatchObject({
      code: "invalid_option",
    });
    const wrong: [Partial<RunSyncOptions>, string][] = [
      [{ feed: "feed_01jz0000000000000000000000" }, "feed_not_found"],
      [{ budgetMs: 0 }, "invalid_option"],
      [{ client: { ...own.client, token: "tdm_1_wrong" } }, "unauthenticated"],
    ];
    for (const [options, code] of wrong) {
      await expect(sync(unknown.id, adapterOf(counting(1)), options)).rejects.toMatchObject({ code });
    }
    expect(await t.db.syncRun.count({ where: { workspaceId: own.caller.workspaceId } })).toBe(0);
  });

  it("a run that was given up meanwhile ends with run_fenced and writes nothing more", async () => {
    const feed = await createFeed(t.db, own.caller, { watermark: "idSet" });
    const adapter = adapterOf(async function* () {
      yield { documents: numbered(1, 1), cursor: upTo(1) };
      await t.db.syncRun.updateMany({
        where: { feedId: feed.id, status: "running" },
        data: { leaseExpiresAt: new Date(Date.now() - 1000) },
      });
      await reapRuns(t.db);
      yield { documents: numbered(2, 2), cursor: upTo(2) };
    });
    await expect(sync(feed.id, adapter)).rejects.toMatchObject({ code: "run_fenced" });
    expect(await lastRun(feed.id)).toMatchObject({ status: "abandoned" });
    expect(await liveIds(feed.id)).toEqual(["d-1"]);
  });

  it("answers that get lost change nothing", async () => {
    const feed = await createFeed(t.db, own.caller, { watermark: "idSet", cursor: "5" });
    const lost = new Set<string>();
    // Each kind of call is carried out once with its answer lost: the own.caller's fetch fails after it.
    const losing: typeof globalThis.fetch = async (url, init) => {
      const response = await fetch(url, init);
      const kind = `${init?.method} ${String(url).split("/").at(-1)}`;
      if (init?.method !== "POST" || kind.endsWith("runs") || lost.has(kind)) return response;
      lost.add(kind);
      await response.arrayBuffer();
      throw new TypeError("fetch failed");
    };
    const adapter = adapterOf(async function* ({ cursor }) {
      if (cursor.type !== "none") throw new CursorExpired("forgot");
      yield { documents: numbered(1, 4), cursor: upTo(4) };
    });
    const summary = await sync(feed.id, adapter, { client: { ...own.client, fetch: losing } });
    expect(lost).toEqual(new Set(["POST restart", "POST documents", "POST finish"]));
    expect(summary).toMatchObject({ status: "succeeded", cursor: "4", restarts: 1 });
    expect(await lastRun(feed.id)).toMatchObject({ status: "succeeded", created: 4, cursorAfter: "4" });
  });
});

it("keeps the lease while the adapter takes its time", async () => {
  const feed = await createFeed(t.db, own.caller, { watermark: "idSet" });
  let beat = () => {};
  const beaten = new Promise<void>((resolve) => {
    beat = resolve;
  });
  own.before = (request) => {
    if (request.url.endsWith("/heartbeat")) beat();
    return undefined;
  };
  // Seen from here the lease seems nearly over, so the first beat comes at once.
  const answer: typeof globalThis.fetch = async (url, init) => {
    const response = await fetch(url, init);
    if (!String(url).endsWith("/runs")) return response;
    const body = { ...((await response.json()) as object), leaseExpiresAt: new Date().toISOString() };
    return Response.json(body, { status: 201 });
  };
  const adapter = adapterOf(async () => {
    await beaten;
    return { documents: numbered(1, 1) };
  });
  expect(await sync(feed.id, adapter, { client: { ...own.client, fetch: answer } })).toMatchObject({
    created: 1,
  });
});
