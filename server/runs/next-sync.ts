import type { PollHints } from "@/sdk/adapter";
import { describeDuration } from "./describe-duration";

/** When a feed is due next, and why then: one sentence for people. Pure: time and chance are arguments. */
export type NextSync = { at: Date; reason: string };

export const MIN_INTERVAL_SECONDS = 5 * 60;
export const MAX_INTERVAL_SECONDS = 24 * 60 * 60;
/** Until a feed shows how often it publishes. */
const DEFAULT_INTERVAL_SECONDS = 60 * 60;
/** Fewer documents than this say nothing about a rhythm. */
const MIN_OBSERVED = 3;
/** Recent ones count; what a feed did years ago does not. */
const MAX_OBSERVED = 20;
/** Spreads feeds that were added together; only ever later, so the bounds hold. */
const SPREAD = 0.1;
const BACKOFF_FIRST_SECONDS = 60;
/** Full jitter may draw nearly zero; even then the upstream gets a moment. */
const BACKOFF_FLOOR_SECONDS = 5;

/**
 * The next sync after one that went well.
 *
 * @param intervalSeconds fixed by a person, or null: then the feed's rhythm and the upstream's hints
 *   decide. A person's choice stands above hints.
 * @param publishedAt when recent documents were published, in any order.
 */
export function nextRegularSync({
  now,
  intervalSeconds,
  hints,
  publishedAt,
  random,
}: {
  now: Date;
  intervalSeconds: number | null;
  hints: PollHints | null;
  publishedAt: readonly Date[];
  random: () => number;
}): NextSync {
  if (intervalSeconds !== null) {
    return { at: after(now, intervalSeconds), reason: `Every ${describeDuration(intervalSeconds)}, as set.` };
  }
  const gap = observedGapSeconds(now, publishedAt);
  // Half the usual gap: a new document waits a quarter of it on average.
  const wanted = clamp(gap === null ? DEFAULT_INTERVAL_SECONDS : gap / 2);
  const asked = Math.min(hints?.minIntervalSeconds ?? 0, MAX_INTERVAL_SECONDS);
  const seconds = Math.max(wanted, asked);
  const spread = Math.min(seconds * (1 + SPREAD * random()), MAX_INTERVAL_SECONDS);
  const { at, skipped } = skipClosedHours(after(now, spread), hints);

  let reason = `About every ${describeDuration(seconds)}`;
  if (asked > wanted) reason += ": the feed asks not to be read more often.";
  else if (gap === null) reason += " until its rhythm is known.";
  else reason += `: new documents come every ${describeDuration(gap)} or so.`;
  if (skipped) reason += " The feed asks to be left alone in between.";
  return { at, reason };
}

/**
 * The next attempt after a failure: exponential back-off with full jitter, at most a day.
 *
 * @param failures in a row, this one included.
 */
export function nextRetry({
  now,
  failures,
  random,
}: {
  now: Date;
  failures: number;
  random: () => number;
}): NextSync {
  const seconds = backoffSeconds(failures, random);
  const count = failures === 1 ? "The last sync failed" : `The last ${failures} syncs failed`;
  return { at: after(now, seconds), reason: `${count}; trying again after ${describeDuration(seconds)}.` };
}

/** Full jitter (a uniform draw below the ceiling) spreads clients best when an upstream comes back. */
export function backoffSeconds(failures: number, random: () => number): number {
  const ceiling = Math.min(BACKOFF_FIRST_SECONDS * 2 ** Math.min(failures - 1, 30), MAX_INTERVAL_SECONDS);
  return Math.max(BACKOFF_FLOOR_SECONDS, ceiling * random());
}

/**
 * Mean time between recent documents, the silence since the last one included, so that a feed that
 * went quiet is read less and less.
 */
function observedGapSeconds(now: Date, publishedAt: readonly Date[]): number | null {
  const times = publishedAt
    .map((date) => Math.min(date.getTime(), now.getTime())) // future-dated items count as new
    .sort((a, b) => b - a)
    .slice(0, MAX_OBSERVED);
  const oldest = times.at(-1);
  if (oldest === undefined || times.length < MIN_OBSERVED) return null;
  return Math.max((now.getTime() - oldest) / times.length / 1000, 1);
}

/** Moves a time out of the hours and days the upstream closed. Hints that close everything are ignored. */
function skipClosedHours(at: Date, hints: PollHints | null): { at: Date; skipped: boolean } {
  const hours = new Set(hints?.skipHoursUtc ?? []);
  const days = new Set(hints?.skipDaysUtc ?? []);
  const isClosed = (date: Date) => hours.has(date.getUTCHours()) || days.has(date.getUTCDay());
  let open = at;
  for (let hour = 0; hour < 8 * 24; hour += 1) {
    if (!isClosed(open)) return { at: open, skipped: open !== at };
    open = new Date(open);
    open.setUTCHours(open.getUTCHours() + 1, 0, 0, 0);
  }
  return { at, skipped: false };
}

function clamp(seconds: number): number {
  return Math.min(Math.max(seconds, MIN_INTERVAL_SECONDS), MAX_INTERVAL_SECONDS);
}

function after(now: Date, seconds: number): Date {
  return new Date(now.getTime() + seconds * 1000);
}
