import { describe, expect, it } from "vitest";
import { type FeedStanding, feedAfterRun, type RunOutcome } from "./feed-after-run";
import type { RunError } from "./run-error";

const NOW = new Date("2026-06-14T09:00:00Z");
const DAY_MS = 86_400_000;
const daysAgo = (days: number) => new Date(NOW.getTime() - days * DAY_MS);
const minutesAhead = (at: Date | null | undefined) => (at ? (at.getTime() - NOW.getTime()) / 60_000 : null);

const aFeed = (feed: Partial<FeedStanding> = {}): FeedStanding => ({
  state: "active",
  pausedBy: null,
  watermark: "date",
  intervalSeconds: 600,
  hints: null,
  failingSince: null,
  consecutiveFailures: 0,
  stuckRuns: 0,
  ...feed,
});
const aRun = (run: Partial<RunOutcome> = {}): RunOutcome => ({
  status: "succeeded",
  startedAt: NOW,
  error: null,
  retryAt: null,
  cursorBefore: "a",
  cursorAfter: "a",
  pages: 1,
  created: 0,
  updated: 0,
  skipped: 0,
  deleted: 0,
  ...run,
});
const anError = (error: Partial<RunError> = {}): RunError => ({
  origin: "upstream",
  code: "unavailable",
  message: "It did not answer.",
  detail: null,
  retryable: true,
  ...error,
});
const aFailure = (error: Partial<RunError> = {}) => aRun({ status: "failed", error: anError(error) });
const outcomeOf = (
  feed: FeedStanding,
  run: RunOutcome,
  context: Partial<Parameters<typeof feedAfterRun>[2]> = {},
) =>
  feedAfterRun(feed, run, {
    now: NOW,
    random: () => 1,
    scheduled: true,
    publishedAt: [],
    rateLimitsInARow: 0,
    credentialsChanged: false,
    ...context,
  });

describe("a success", () => {
  it("ends every trouble and plans the next sync", () => {
    const feed = aFeed({ failingSince: daysAgo(2), consecutiveFailures: 5 });
    expect(outcomeOf(feed, aRun()).patch).toMatchObject({
      lastSuccessAt: NOW,
      failingSince: null,
      consecutiveFailures: 0,
      error: null,
      rateLimitedUntil: null,
      nextSyncAt: new Date(NOW.getTime() + 600_000),
      nextSyncReason: "Every 10 minutes, as set.",
    });
  });

  it("reconnects a feed whose credentials are taken again", () => {
    expect(outcomeOf(aFeed({ state: "needs_reconnect" }), aRun()).patch).toMatchObject({
      state: "active",
      nextSyncAt: expect.any(Date),
    });
  });
});

describe("a cursor that should move", () => {
  const bringsDocuments = aRun({ created: 3 });
  it("is flagged after two successful runs that brought documents without moving it", () => {
    const first = outcomeOf(aFeed(), bringsDocuments);
    expect(first.patch.stuckRuns).toBe(1);
    expect(first.warnings).toEqual([]);
    const second = outcomeOf(aFeed({ stuckRuns: 1 }), bringsDocuments);
    expect(second.patch.stuckRuns).toBe(2);
    expect(second.warnings).toEqual([
      { code: "cursor_stuck", message: expect.stringContaining("2 successful runs") },
    ]);
  });

  it.each([
    ["the cursor moved", aFeed({ stuckRuns: 1 }), aRun({ created: 3, cursorAfter: "b" }), 0],
    ["nothing new came", aFeed({ stuckRuns: 1 }), aRun({ skipped: 20 }), undefined],
    [
      "the feed keeps no position",
      aFeed({ watermark: "none" }),
      aRun({ created: 3, cursorBefore: null, cursorAfter: null }),
      undefined,
    ],
  ])("is not when %s", (_, feed, run, stuckRuns) => {
    const { patch, warnings } = outcomeOf(feed, run);
    expect(patch.stuckRuns).toBe(stuckRuns);
    expect(warnings).toEqual([]);
  });

  it("is flagged too when no cursor ever comes, although documents are only skipped", () => {
    const never = aRun({ skipped: 20, cursorBefore: null, cursorAfter: null });
    expect(outcomeOf(aFeed({ stuckRuns: 1 }), never).warnings).toMatchObject([{ code: "cursor_stuck" }]);
  });
});

describe("a failure", () => {
  it("is counted, kept and backed off from", () => {
    const { patch } = outcomeOf(aFeed({ consecutiveFailures: 3, failingSince: daysAgo(1) }), aFailure());
    expect(patch).toMatchObject({
      consecutiveFailures: 4,
      failingSince: daysAgo(1),
      error: { code: "unavailable", at: NOW.toISOString() },
    });
    expect(minutesAhead(patch.nextSyncAt)).toBe(8);
  });

  it("that says gone disables the feed, with an audit entry", () => {
    const { patch, audits } = outcomeOf(aFeed(), aFailure({ code: "gone" }));
    expect(patch).toMatchObject({ state: "disabled", nextSyncAt: null });
    expect(audits).toMatchObject([{ action: "feed.disabled" }]);
  });

  it.each([
    ["the upstream refused the credentials", { code: "unauthorized" }],
    ["the vault cannot open them", { origin: "tidemark", code: "credentials_unreadable" }],
  ] as const)("asks for a reconnect when %s", (_, error) => {
    expect(outcomeOf(aFeed(), aFailure(error)).patch).toMatchObject({
      state: "needs_reconnect",
      nextSyncAt: null,
    });
  });

  it("does not ask again when the credentials were changed since the run read them", () => {
    const refused = aFailure({ code: "unauthorized" });
    const { patch } = outcomeOf(aFeed(), refused, { credentialsChanged: true });
    expect(patch.state).toBeUndefined();
    expect(minutesAhead(patch.nextSyncAt)).toBe(1);
  });

  it("of our own called gone does not disable a feed", () => {
    expect(outcomeOf(aFeed(), aFailure({ origin: "adapter", code: "gone" })).patch.state).toBeUndefined();
  });

  it.each([
    { failures: 19, days: 5, warned: false, paused: false },
    { failures: 20, days: 3, warned: false, paused: false },
    { failures: 20, days: 4, warned: true, paused: false },
    { failures: 30, days: 6, warned: true, paused: false },
    { failures: 29, days: 9, warned: true, paused: false },
    { failures: 30, days: 7, warned: false, paused: true },
  ])(
    "number $failures after $days days: warned $warned, paused $paused",
    ({ failures, days, warned, paused }) => {
      const feed = aFeed({ consecutiveFailures: failures - 1, failingSince: daysAgo(days) });
      const { patch, warnings, audits } = outcomeOf(feed, aFailure());
      expect(patch.state).toBe(paused ? "paused" : undefined);
      expect(patch.pausedBy).toBe(paused ? "failures" : undefined);
      expect(patch.nextSyncAt === null).toBe(paused);
      expect(audits.map(({ action }) => action)).toEqual(paused ? ["feed.paused"] : []);
      expect(warnings.map(({ code }) => code)).toEqual(
        paused ? ["feed_paused"] : warned ? ["failing_for_days"] : [],
      );
    },
  );

  it("never pauses a feed that this server does not schedule", () => {
    const feed = aFeed({ consecutiveFailures: 40, failingSince: daysAgo(20) });
    expect(outcomeOf(feed, aFailure(), { scheduled: false }).patch).toMatchObject({ nextSyncAt: null });
    expect(outcomeOf(feed, aFailure(), { scheduled: false }).patch.state).toBeUndefined();
  });

  it("leaves a feed paused that a person paused meanwhile", () => {
    const { patch } = outcomeOf(aFeed({ state: "paused", pausedBy: "person" }), aFailure({ code: "gone" }));
    expect(patch.state).toBeUndefined();
    expect(patch).toMatchObject({ nextSyncAt: null, nextSyncReason: "Paused." });
  });
});

describe("a rate limit", () => {
  const limited = (retryAt: Date | null) =>
    aRun({ status: "partial", pages: 0, error: anError({ code: "rate_limited" }), retryAt });
  const inMinutes = (minutes: number) => new Date(NOW.getTime() + minutes * 60_000);

  it.each([
    ["as told", inMinutes(90), 0, 90],
    ["a day when told a year", inMinutes(365 * 24 * 60), 0, 24 * 60],
    ["by back-off when told nothing readable", null, 0, 1],
    ["by back-off when told a moment that is past", inMinutes(-5), 0, 1],
    ["longer each time in a row", null, 4, 16],
  ])("waits %s", (_, retryAt, rateLimitsInARow, minutes) => {
    const { patch } = outcomeOf(aFeed(), limited(retryAt), { rateLimitsInARow });
    expect(minutesAhead(patch.rateLimitedUntil)).toBe(minutes);
    expect(patch.nextSyncAt).toEqual(patch.rateLimitedUntil);
    expect(patch.nextSyncReason).toContain("Rate limited");
  });

  it("is not a failure: neither counted nor shown as one, and no end of one", () => {
    const { patch } = outcomeOf(
      aFeed({ consecutiveFailures: 2, failingSince: daysAgo(1) }),
      limited(inMinutes(5)),
    );
    expect(patch.consecutiveFailures).toBeUndefined();
    expect(patch.failingSince).toBeUndefined();
    expect(patch.error).toBeUndefined();
    expect(patch.lastSuccessAt).toBeUndefined();
  });
});

describe("a run that stopped early", () => {
  const early = (run: Partial<RunOutcome>) =>
    aRun({ status: "partial", error: anError({ origin: "tidemark", code: "time_budget" }), ...run });

  it("goes on at once when its cursor moved", () => {
    const { patch } = outcomeOf(aFeed(), early({ cursorAfter: "b" }));
    expect(minutesAhead(patch.nextSyncAt)).toBeLessThan(0.1);
  });

  it("keeps the interval when it would only begin again", () => {
    expect(minutesAhead(outcomeOf(aFeed(), early({})).patch.nextSyncAt)).toBe(10);
  });

  it("because the server stopped is due at once", () => {
    const { patch } = outcomeOf(aFeed(), early({ error: anError({ origin: "tidemark", code: "shutdown" }) }));
    expect(patch.nextSyncAt).toEqual(NOW);
  });
});

it("leaves feeds of agents and programs to them", () => {
  expect(outcomeOf(aFeed(), aRun(), { scheduled: false }).patch).toMatchObject({
    lastSuccessAt: NOW,
    nextSyncAt: null,
  });
});
