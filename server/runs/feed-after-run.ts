import type { PollHints } from "@/sdk/adapter";
import type { FeedState, RunStatus, Watermark } from "@/server/db";
import { describeDuration } from "./describe-duration";
import { backoffSeconds, nextRegularSync, nextRetry } from "./next-sync";
import { RATE_LIMITED, type RunError, type RunWarning, SHUTDOWN } from "./run-error";

/** People are warned after this many failures in a row *and* this long. */
const WARN_AFTER = { failures: 20, days: 4 };
/** The feed is paused after this many failures in a row *and* this long. */
const PAUSE_AFTER = { failures: 30, days: 7 };
/** Runs in a row that bring documents without moving the cursor before that is called stuck. */
const STUCK_AFTER = 2;
/** A run that stopped early but moved its cursor goes on after a breath, not after the interval. */
const CONTINUE_SECONDS = 2;
const DAY_MS = 86_400_000;

/** The part of a feed's row that the end of a run decides. */
export type FeedStanding = {
  state: FeedState;
  pausedBy: string | null;
  watermark: Watermark | null;
  intervalSeconds: number | null;
  hints: PollHints | null;
  failingSince: Date | null;
  consecutiveFailures: number;
  stuckRuns: number;
};

/** How the run went. */
export type RunOutcome = {
  status: Exclude<RunStatus, "queued" | "running">;
  startedAt: Date;
  error: RunError | null;
  /** When a rate limit ends, if the upstream said so. */
  retryAt: Date | null;
  cursorBefore: string | null;
  cursorAfter: string | null;
  pages: number;
  created: number;
  updated: number;
  skipped: number;
  deleted: number;
};

export type FeedPatch = {
  state?: FeedState;
  pausedBy?: string | null;
  lastAttemptAt: Date;
  lastSuccessAt?: Date;
  failingSince?: Date | null;
  consecutiveFailures?: number;
  rateLimitedUntil?: Date | null;
  error?: (RunError & { at: string }) | null;
  stuckRuns?: number;
  nextSyncAt: Date | null;
  nextSyncReason: string | null;
};

export type FeedAfterRun = {
  patch: FeedPatch;
  warnings: RunWarning[];
  /** State changes that nobody asked for, for the audit log. */
  audits: { action: string; detail: Record<string, unknown> }[];
};

/**
 * What the end of a run means for its feed: state, error, counters, when it is due again. Pure.
 *
 * @param context.scheduled false: someone else decides when this feed is synced (agent, API).
 * @param context.publishedAt when recent documents were published.
 * @param context.credentialsChanged since the run read them: what the upstream refused is history.
 * @param context.rateLimitsInARow rate-limited runs just before this one; spaces out the attempts
 *   where the upstream does not say how long to wait.
 */
export function feedAfterRun(
  feed: FeedStanding,
  run: RunOutcome,
  context: {
    now: Date;
    random: () => number;
    scheduled: boolean;
    publishedAt: readonly Date[];
    rateLimitsInARow: number;
    credentialsChanged: boolean;
  },
): FeedAfterRun {
  const { now } = context;
  const result: FeedAfterRun = {
    patch: { lastAttemptAt: run.startedAt, nextSyncAt: null, nextSyncReason: null },
    warnings: [],
    audits: [],
  };
  const { patch } = result;

  if (run.status === "succeeded") noteSuccess(feed, run, now, result);
  else if (run.status === "failed" || run.status === "abandoned") noteFailure(feed, run, context, result);
  else if (run.error?.code === RATE_LIMITED) patch.rateLimitedUntil = waitUntil(run, context);
  // It read and stored something: whatever was wrong before is over.
  else if (run.status === "partial" && run.pages > 0) clearFailure(patch);

  Object.assign(patch, whenDue(feed, run, context, patch));
  return result;
}

function noteSuccess(
  feed: FeedStanding,
  run: RunOutcome,
  now: Date,
  { patch, warnings }: FeedAfterRun,
): void {
  clearFailure(patch);
  patch.lastSuccessAt = now;
  patch.rateLimitedUntil = null;
  if (feed.state === "needs_reconnect") patch.state = "active";

  if (run.cursorAfter !== run.cursorBefore) patch.stuckRuns = 0;
  else if (shouldHaveMoved(feed, run)) {
    patch.stuckRuns = feed.stuckRuns + 1;
    if (patch.stuckRuns >= STUCK_AFTER) {
      warnings.push({
        code: "cursor_stuck",
        message: `${patch.stuckRuns} successful runs in a row brought documents but did not move the cursor, so each run reads the same again.`,
      });
    }
  }
}

/** New documents ought to move a position; a feed that never got one ought to have one by now. */
function shouldHaveMoved(feed: FeedStanding, run: RunOutcome): boolean {
  if (feed.watermark === null || feed.watermark === "none") return false;
  const received = run.created + run.updated + run.skipped + run.deleted;
  return run.created > 0 || (run.cursorAfter === null && received > 0);
}

function noteFailure(
  feed: FeedStanding,
  run: RunOutcome,
  { now, scheduled, credentialsChanged }: { now: Date; scheduled: boolean; credentialsChanged: boolean },
  { patch, warnings, audits }: FeedAfterRun,
): void {
  const failures = feed.consecutiveFailures + 1;
  const failingSince = feed.failingSince ?? now;
  patch.consecutiveFailures = failures;
  patch.failingSince = failingSince;
  if (run.error) patch.error = { ...run.error, at: now.toISOString() };
  if (feed.state !== "active") return;

  const failingMs = now.getTime() - failingSince.getTime();
  const since = `${failures} syncs in a row have failed since ${failingSince.toISOString()}`;
  if (run.error?.origin === "upstream" && run.error.code === "gone") {
    patch.state = "disabled";
    audits.push({
      action: "feed.disabled",
      detail: { reason: "The upstream said that the feed is gone for good." },
    });
  } else if (blamesCredentials(run.error) && !credentialsChanged) {
    patch.state = "needs_reconnect";
  } else if (scheduled && failures >= PAUSE_AFTER.failures && failingMs >= PAUSE_AFTER.days * DAY_MS) {
    patch.state = "paused";
    patch.pausedBy = "failures";
    audits.push({
      action: "feed.paused",
      detail: { reason: `${since}.`, error: run.error?.message ?? null },
    });
    warnings.push({
      code: "feed_paused",
      message: `${since}. The feed is paused; resume it when the cause is gone.`,
    });
  } else if (failures >= WARN_AFTER.failures && failingMs >= WARN_AFTER.days * DAY_MS) {
    warnings.push({ code: "failing_for_days", message: `${since}.` });
  }
}

/** Only other credentials can end this failure. */
export function blamesCredentials(error: RunError | null): boolean {
  return (
    error?.code === "credentials_unreadable" ||
    (error?.origin === "upstream" && error.code === "unauthorized")
  );
}

function clearFailure(patch: FeedPatch): void {
  patch.failingSince = null;
  patch.consecutiveFailures = 0;
  patch.error = null;
}

/** As told when the upstream named a time ahead; else back-off, also for "0" and times in the past. */
function waitUntil(
  run: RunOutcome,
  { now, random, rateLimitsInARow }: { now: Date; random: () => number; rateLimitsInARow: number },
): Date {
  if (run.retryAt && run.retryAt > now)
    return new Date(Math.min(run.retryAt.getTime(), now.getTime() + DAY_MS));
  return new Date(now.getTime() + backoffSeconds(rateLimitsInARow + 1, random) * 1000);
}

function whenDue(
  feed: FeedStanding,
  run: RunOutcome,
  context: { now: Date; random: () => number; scheduled: boolean; publishedAt: readonly Date[] },
  patch: FeedPatch,
): { nextSyncAt: Date | null; nextSyncReason: string | null } {
  const never = (nextSyncReason: string) => ({ nextSyncAt: null, nextSyncReason });
  const state = patch.state ?? feed.state;
  if (state === "disabled") return never("Never: the feed is disabled.");
  if (state === "needs_reconnect")
    return never("Not before it is reconnected: the upstream refused the credentials.");
  if (state === "paused") {
    const byFailures = (patch.pausedBy ?? feed.pausedBy) === "failures";
    return never(byFailures ? "Paused after failing for days." : "Paused.");
  }
  if (state === "deleting") return never("Never: the feed is being deleted.");
  if (!context.scheduled) return never("Whenever its own program syncs it.");

  const { now } = context;
  const at = (seconds: number) => new Date(now.getTime() + seconds * 1000);
  if (patch.rateLimitedUntil) {
    const seconds = (patch.rateLimitedUntil.getTime() - now.getTime()) / 1000;
    return {
      nextSyncAt: patch.rateLimitedUntil,
      nextSyncReason: `Rate limited: waiting ${describeDuration(seconds)}.`,
    };
  }
  if (run.status === "failed" || run.status === "abandoned") {
    const { at, reason } = nextRetry({
      now,
      failures: patch.consecutiveFailures ?? 1,
      random: context.random,
    });
    return { nextSyncAt: at, nextSyncReason: reason };
  }
  if (run.status === "partial") {
    if (run.error?.code === SHUTDOWN)
      return { nextSyncAt: now, nextSyncReason: "The server stopped during the last sync." };
    // A walk that commits its cursor with the last page alone would begin again for ever.
    if (run.cursorAfter !== run.cursorBefore) {
      return { nextSyncAt: at(CONTINUE_SECONDS), nextSyncReason: "The last sync stopped early and goes on." };
    }
  }
  const next = nextRegularSync({
    now,
    intervalSeconds: feed.intervalSeconds,
    hints: feed.hints,
    publishedAt: context.publishedAt,
    random: context.random,
  });
  return { nextSyncAt: next.at, nextSyncReason: next.reason };
}
