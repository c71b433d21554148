import type { ServerResponse } from "node:http";
import { describe, expect, it, vi } from "vitest";
import { throwForStatus } from "@/adapters/http";
import { useDatabase } from "@/test/database";
import { createCaller } from "@/test/factories";
import { anAdapter, createSyncedFeed, LOOPBACK, runFeed, useUpstream } from "@/test/run-feed";
import { rememberCooldown } from "./host-cooldown";
import { takeHostSlot } from "./host-slots";

const t = useDatabase();
const upstream = useUpstream();
const other = useUpstream();

const reading = (url: () => string) =>
  anAdapter(async ({ fetch, now }) => {
    throwForStatus(await fetch(url()), now());
    return { documents: [{ id: "a" }] };
  });

async function setUp() {
  const caller = await createCaller(t.db);
  const { id: feedId } = await createSyncedFeed(t.db, caller);
  const feedRow = () => t.db.feed.findFirstOrThrow({ where: { id: feedId } });
  const answer = (status: number, retryAfter?: string) => {
    upstream.answer = (_, response) => {
      response.writeHead(status, retryAfter === undefined ? {} : { "retry-after": retryAfter }).end();
    };
  };
  return { caller, feedId, feedRow, answer };
}

const secondsAhead = (at: Date | null) => (at ? (at.getTime() - Date.now()) / 1000 : Number.NaN);
const httpDate = (secondsFromNow: number) => new Date(Date.now() + secondsFromNow * 1000).toUTCString();

describe("F40: Retry-After", () => {
  it.each([
    ["an HTTP date 90 s ahead is waited for", 429, () => httpDate(90), 85, 90],
    ["seconds are waited for", 429, () => "120", 115, 120],
    ["on a 503 too", 503, () => "300", 295, 300],
    ["0 falls back to back-off", 429, () => "0", 0, 60],
    ["a date in the past falls back to back-off", 429, () => httpDate(-3600), 0, 60],
    ["120junk falls back to back-off", 429, () => "120junk", 0, 60],
    ["a year ahead is capped at a day", 429, () => httpDate(365 * 86_400), 86_390, 86_400],
    ["nothing at all falls back to back-off", 429, () => undefined, 0, 60],
  ])("%s", async (_, status, retryAfter, least, most) => {
    const { caller, feedId, feedRow, answer } = await setUp();
    answer(status, retryAfter());
    const run = await runFeed(t.db, caller, feedId, reading(upstream.url));
    expect(run).toMatchObject({ status: "partial", error: { origin: "upstream", code: "rate_limited" } });
    const feed = await feedRow();
    expect(secondsAhead(feed.nextSyncAt)).toBeGreaterThan(least);
    expect(secondsAhead(feed.nextSyncAt)).toBeLessThanOrEqual(most);
    expect(feed.rateLimitedUntil).toEqual(feed.nextSyncAt);
    expect(feed).toMatchObject({ consecutiveFailures: 0, failingSince: null, state: "active" });
  });

  it("the wait survives a restart: it is a row, and no request is made while it lasts", async () => {
    const { caller, feedId, feedRow, answer } = await setUp();
    answer(429, "300");
    await runFeed(t.db, caller, feedId, reading(upstream.url));
    const until = (await feedRow()).rateLimitedUntil;
    answer(200);
    const asked = upstream.requests.length;
    // Nothing but the database is left of the first run.
    const run = await runFeed(t.db, caller, feedId, reading(upstream.url));
    expect(run).toMatchObject({ status: "partial", requests: 0, error: { code: "rate_limited" } });
    expect(upstream.requests.length).toBe(asked);
    expect(Math.abs(secondsAhead((await feedRow()).rateLimitedUntil) - secondsAhead(until))).toBeLessThan(2);
  });

  it("holds for the host and credential alone", async () => {
    const { caller, feedId, answer } = await setUp();
    answer(429, "300");
    await runFeed(t.db, caller, feedId, reading(upstream.url));
    const sibling = await createSyncedFeed(t.db, caller, { externalKey: "sibling" });
    await expect(runFeed(t.db, caller, sibling.id, reading(upstream.url))).resolves.toMatchObject({
      status: "partial",
      requests: 0,
    });
    await expect(runFeed(t.db, caller, sibling.id, reading(other.url))).resolves.toMatchObject({
      status: "succeeded",
    });

    const stranger = await createCaller(t.db);
    const theirs = await createSyncedFeed(t.db, stranger);
    answer(200);
    await expect(runFeed(t.db, stranger, theirs.id, reading(upstream.url))).resolves.toMatchObject({
      status: "succeeded",
    });
  });

  it("is not undone by a shorter one that was under way meanwhile", async () => {
    const { caller } = await setUp();
    const key = { workspaceId: caller.workspaceId, host: "busy.example", credentialKey: "" };
    for (const seconds of ["3000", "60"]) {
      await rememberCooldown(t.db, key, { status: 429, headers: { "retry-after": seconds } }, new Date());
    }
    const cooldown = await t.db.hostCooldown.findFirst({ where: { host: key.host } });
    expect(secondsAhead(cooldown?.until ?? null)).toBeGreaterThan(2_900);
  });

  it("ends when it is over", async () => {
    const { caller, feedId, feedRow, answer } = await setUp();
    answer(429, "3000");
    await runFeed(t.db, caller, feedId, reading(upstream.url));
    await t.db.$executeRaw`
      UPDATE host_cooldowns SET until = now() - interval '1 second' WHERE workspace_id = ${caller.workspaceId}::int`;
    answer(200);
    await expect(runFeed(t.db, caller, feedId, reading(upstream.url))).resolves.toMatchObject({
      status: "succeeded",
    });
    await expect(feedRow()).resolves.toMatchObject({ rateLimitedUntil: null });
  });

  it("without a readable wait is spaced out further each time in a row, and is no failure", async () => {
    const { caller, feedId, feedRow, answer } = await setUp();
    answer(429);
    const waits: number[] = [];
    for (let i = 0; i < 4; i += 1) {
      vi.spyOn(Math, "random").mockReturnValue(1);
      const run = await runFeed(t.db, caller, feedId, reading(upstream.url)).finally(() =>
        vi.restoreAllMocks(),
      );
      const { nextSyncAt } = await feedRow();
      waits.push(((nextSyncAt?.getTime() ?? 0) - (run.finishedAt?.getTime() ?? 0)) / 1000);
    }
    expect(waits).toEqual([60, 120, 240, 480]);
    await expect(feedRow()).resolves.toMatchObject({ consecutiveFailures: 0 });
  });
});

describe("requests in flight", () => {
  it("are at most two per host and credential, over all processes", async () => {
    const { caller } = await setUp();
    // Holds answers until two have met, and a little longer for a third that must not come.
    const held: ServerResponse[] = [];
    let arrived = 0;
    let most = 0;
    upstream.answer = (_, response) => {
      arrived += 1;
      held.push(response);
      most = Math.max(most, held.length);
      if (held.length < 2 && arrived < 5) return;
      setTimeout(() => {
        for (const each of held.splice(0)) each.end();
      }, 30);
    };
    const feeds = await Promise.all(
      Array.from({ length: 5 }, (_, i) => createSyncedFeed(t.db, caller, { externalKey: `f${i}` })),
    );
    const runs = await Promise.all(
      feeds.map(({ id }) => runFeed(t.db, caller, id, reading(upstream.url), LOOPBACK)),
    );
    expect(runs.map(({ status }) => status)).toEqual(Array(5).fill("succeeded"));
    expect(most).toBe(2);
  });

  it("give a dead process's place back when its lease runs out", async () => {
    const { caller } = await setUp();
    const key = { workspaceId: caller.workspaceId, host: "dead.example", credentialKey: "" };
    await takeHostSlot(t.db, key);
    await takeHostSlot(t.db, key);
    await expect(takeHostSlot(t.db, key, AbortSignal.timeout(300))).rejects.toThrow();
    await t.db
      .$executeRaw`UPDATE host_slots SET expires_at = now() - interval '1 second' WHERE host = 'dead.example' AND slot = 1`;
    const release = await takeHostSlot(t.db, key, AbortSignal.timeout(5_000));
    expect(release).toBeTypeOf("function");
  });
});
