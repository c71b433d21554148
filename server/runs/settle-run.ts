import type { PollHints } from "@/sdk/adapter";
import { audit } from "@/server/access/audit";
import type { Caller } from "@/server/actor";
import { type Executor, type Feed, Prisma, type Source, type Tx } from "@/server/db";
import type { LockedFeed } from "@/server/ingest/lock-feed";
import { sweepAfterListing } from "@/server/ingest/sweep";
import { tellOfHold, tellOfRun } from "@/server/webhooks/tell-of-run";
import { noteRedirect } from "./adopt-redirect";
import { blamesCredentials, feedAfterRun } from "./feed-after-run";
import { RATE_LIMITED, type RunError, type RunWarning } from "./run-error";
import { addRunEvents, type RunEventInput } from "./run-events";

/** Recently changed documents that are looked at for a feed's rhythm. */
const RHYTHM_SAMPLE = 50;
/** Rate limits in a row that matter: the back-off has reached its ceiling by then. */
const RATE_LIMIT_SAMPLE = 12;

export type Settlement = {
  runId: string;
  status: "succeeded" | "partial" | "failed" | "cancelled" | "abandoned";
  /** Which runs may be settled: active ones by their executor, or those whose lease ran out. */
  from: "active" | "expired";
  error?: RunError | null;
  /** The executor says it listed everything from the beginning. */
  complete?: boolean;
  retryAt?: Date | null;
  /** Where a permanent redirect led in this run; null = nowhere; undefined = not known. */
  movedTo?: string | null;
  warnings?: RunWarning[];
  durations?: { fetchMs: number; commitMs: number; totalMs: number };
};

export type SettledRun = {
  runId: string;
  feedId: string;
  status: Settlement["status"];
  executor: Executor;
  /** From its start to its end; absent for one that never began. */
  ms: number | undefined;
  swept: number;
  /** A sweep held for a person. */
  holdId: string | null;
};

type RunRow = {
  listing: boolean;
  executor: Executor;
  startedAt: Date | null;
  finishedAt: Date;
  cursorBefore: string | null;
  cursorAfter: string | null;
  pages: number;
  created: number;
  updated: number;
  skipped: number;
  deleted: number;
  rejected: number;
};

/**
 * Ends a run and draws the consequences for its feed, in the caller's transaction and under the feed's
 * lock: sweep, state, error, counters, redirect, the next sync.
 *
 * @returns null when the run is not in a state that may be left; nothing was written then.
 */
export async function settleRun(
  tx: Tx,
  caller: Caller,
  feed: LockedFeed,
  settlement: Settlement,
): Promise<SettledRun | null> {
  const { workspaceId } = caller;
  const { runId, status } = settlement;
  const run = await endRun(tx, workspaceId, feed, settlement);
  if (!run) return null;

  const warnings = [...(settlement.warnings ?? [])];
  const events: RunEventInput[] = [];
  const sweep = await sweepIfComplete(tx, caller, feed, settlement, run, warnings, events);
  // The sweep's evidence has served.
  await tx.runKey.deleteMany({ where: { workspaceId, runId } });
  const outcome = await updateFeed(tx, caller, feed, settlement, run, sweep.swept);
  warnings.push(...outcome);

  if (warnings.length > 0 || sweep.swept > 0) {
    await tx.$executeRaw`
      UPDATE sync_runs SET warnings = warnings || ${JSON.stringify(warnings)}::jsonb, deleted = deleted + ${sweep.swept}::int
       WHERE workspace_id = ${workspaceId}::int AND id = ${runId}`;
  }
  events.push(
    ...warnings.map(({ code, message }) => ({
      level: "warn" as const,
      kind: "log" as const,
      message,
      data: { code },
    })),
  );
  events.push(endEvent(settlement));
  await addRunEvents(tx, { workspaceId, runId }, events);
  const { executor, startedAt, finishedAt } = run;
  const ms = startedAt ? finishedAt.getTime() - startedAt.getTime() : undefined;
  return { runId, feedId: feed.id, status, executor, ms, swept: sweep.swept, holdId: sweep.holdId };
}

/** The one statement that lets a run leave its active state; the guard is in its WHERE. */
async function endRun(
  tx: Tx,
  workspaceId: number,
  feed: LockedFeed,
  { runId, status, from, error, durations }: Settlement,
): Promise<RunRow | undefined> {
  const [run] = await tx.$queryRaw<RunRow[]>`
    UPDATE sync_runs
       SET status = ${status}::"RunStatus", finished_at = clock_timestamp(), lease_expires_at = NULL,
           cursor_after = ${feed.cursor}, error = ${error ? JSON.stringify(error) : null}::jsonb,
           durations = durations || ${JSON.stringify(durations ?? {})}::jsonb
     WHERE workspace_id = ${workspaceId}::int AND id = ${runId} AND feed_id = ${feed.id}
       AND CASE ${from}
             WHEN 'active' THEN status = 'running' OR (status = 'queued' AND ${status} = 'cancelled')
             ELSE status = 'running' AND lease_expires_at < clock_timestamp()
           END
    RETURNING listing, executor::text, started_at AS "startedAt", finished_at AS "finishedAt",
              cursor_before AS "cursorBefore", cursor_after AS "cursorAfter",
              pages, created, updated, skipped, deleted, rejected`;
  return run;
}

async function sweepIfComplete(
  tx: Tx,
  caller: Caller,
  feed: LockedFeed,
  { runId, status, complete }: Settlement,
  run: RunRow,
  warnings: RunWarning[],
  events: RunEventInput[],
): Promise<{ swept: number; holdId: string | null }> {
  if (status !== "succeeded" || !complete) return { swept: 0, holdId: null };
  if (!run.listing) {
    warnings.push({
      code: "complete_ignored",
      message: "The run went on from a position, so it is no evidence of what is gone; nothing was deleted.",
    });
    return { swept: 0, holdId: null };
  }
  const { swept, holdId, heldCount } = await sweepAfterListing(tx, caller, { feedId: feed.id, runId });
  if (holdId) {
    await tellOfHold(tx, caller, { feedId: feed.id, runId, holdId });
    warnings.push({
      code: "sweep_held",
      message: `The listing lacks ${heldCount} documents held here. That is so many that a person has to confirm their deletion.`,
    });
  }
  events.push({
    level: holdId ? "warn" : "info",
    kind: "sweep",
    message: holdId
      ? `Deletion of ${heldCount} documents held for a person`
      : `Complete listing: ${swept} documents were gone`,
    data: { swept, held: heldCount },
  });
  return { swept, holdId };
}

async function updateFeed(
  tx: Tx,
  caller: Caller,
  feed: LockedFeed,
  settlement: Settlement,
  run: RunRow,
  swept: number,
): Promise<RunWarning[]> {
  const { workspaceId } = caller;
  // A queued run that never began says nothing about its feed.
  if (!run.startedAt) return [];
  const row = await tx.feed.findUniqueOrThrow({
    where: { workspaceId_id: { workspaceId, id: feed.id } },
    include: { source: true },
  });
  const scheduled = isScheduled(row.source);
  const { patch, warnings, audits } = feedAfterRun(
    { ...row, hints: row.hints as PollHints | null },
    {
      ...run,
      startedAt: run.startedAt,
      status: settlement.status,
      error: settlement.error ?? null,
      retryAt: settlement.retryAt ?? null,
      deleted: run.deleted + swept,
    },
    {
      now: run.finishedAt,
      random: Math.random,
      scheduled,
      publishedAt:
        scheduled && row.intervalSeconds === null ? await listPublishedAt(tx, workspaceId, feed.id) : [],
      rateLimitsInARow:
        settlement.error?.code === RATE_LIMITED
          ? await countRateLimits(tx, workspaceId, settlement.runId, feed.id)
          : 0,
      credentialsChanged:
        blamesCredentials(settlement.error ?? null) && (await wereCredentialsChanged(tx, row, run.startedAt)),
    },
  );
  const redirect =
    settlement.status === "succeeded" && settlement.movedTo !== undefined
      ? await noteRedirect(tx, caller, { feed: row, source: row.source, movedTo: settlement.movedTo })
      : { patch: {}, warnings: [] };

  await tx.feed.update({
    where: { workspaceId_id: { workspaceId, id: feed.id } },
    data: {
      ...patch,
      error: patch.error === null ? Prisma.DbNull : patch.error,
      ...redirect.patch,
      updatedAt: run.finishedAt,
    },
  });
  for (const { action, detail } of audits) await audit(tx, caller, action, feed.id, detail);
  await tellOfRun(tx, caller, { runId: settlement.runId, before: row, patch, run: settlement });
  return [...warnings, ...redirect.warnings];
}

/** Does this server decide when the feed is synced? */
export function isScheduled(source: Pick<Source, "runsOn" | "type">): boolean {
  return source.runsOn === "cloud" && source.type !== "api";
}

/** A person who reconnects while a sync is under way must not be asked again for what it used. */
async function wereCredentialsChanged(
  tx: Tx,
  { workspaceId, credentialId, source }: Feed & { source: Source },
  since: Date,
): Promise<boolean> {
  const ids = [credentialId, source.credentialId].filter((id) => id !== null);
  const changed = await tx.credential.findFirst({
    where: { workspaceId, id: { in: ids }, updatedAt: { gt: since } },
    select: { id: true },
  });
  return changed !== null;
}

async function listPublishedAt(tx: Tx, workspaceId: number, feedId: string): Promise<Date[]> {
  const rows = await tx.document.findMany({
    // The index by seq is partial: without this the whole workspace would be read.
    where: { workspaceId, feedId, state: "live", seq: { not: null } },
    orderBy: { seq: "desc" },
    take: RHYTHM_SAMPLE,
    select: { date: true, createdAt: true },
  });
  return rows.map(({ date, createdAt }) => date ?? createdAt);
}

async function countRateLimits(tx: Tx, workspaceId: number, runId: string, feedId: string): Promise<number> {
  const runs = await tx.syncRun.findMany({
    where: { workspaceId, feedId, id: { not: runId } },
    orderBy: { id: "desc" },
    take: RATE_LIMIT_SAMPLE,
    select: { error: true },
  });
  const first = runs.findIndex(({ error }) => (error as { code?: string } | null)?.code !== RATE_LIMITED);
  return first === -1 ? runs.length : first;
}

function endEvent({ status, error }: Settlement): RunEventInput {
  const level =
    status === "failed" || status === "abandoned" ? "error" : status === "succeeded" ? "info" : "warn";
  return {
    level,
    kind: "lifecycle",
    message: error ? `Run ${status}: ${error.message}` : `Run ${status}`,
    data: error ? { code: error.code, origin: error.origin } : {},
  };
}
