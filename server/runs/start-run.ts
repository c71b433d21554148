import type { Caller } from "@/server/actor";
import { readSafePoint } from "@/server/changes/safe-point";
import type { Db, Executor, RunTrigger, Tx } from "@/server/db";
import { AppError } from "@/server/errors";
import { newId } from "@/server/ids";
import { type LockedFeed, lockFeed, requireWritable } from "@/server/ingest/lock-feed";
import { publish } from "@/server/live/publish";
import { noteRunEnd } from "@/server/metrics/note-run";
import { inTransaction } from "@/server/transaction";
import { abandonExpiredRun } from "./reap-runs";
import { leaseSeconds, MAX_RUN_SECONDS } from "./run-limits";

export type StartedRun = {
  runId: string;
  /** Database time; null while the run is queued. */
  leaseExpiresAt: Date | null;
  /**
   * The stored cursor: where to go on from, and the `cursorBefore` of the first page. A run that was
   * told to list begins at the beginning all the same.
   */
  cursor: string | null;
};

/**
 * Begins a sync run of a feed, or queues one for a worker. At most one run per feed is active; an
 * earlier one whose lease ran out is abandoned here rather than waited for.
 *
 * @param listing true: list from the beginning although the feed has a position, so that `complete`
 *   counts. A feed without a position lists anyway.
 * @throws AppError feed_not_found, feed_disabled, feed_deleting; run_active, whose `extra.runId` names
 *   the run in progress.
 */
export async function startRun(
  db: Db,
  caller: Caller,
  {
    feedId,
    trigger,
    executor,
    listing = false,
    status = "running",
  }: {
    feedId: string;
    trigger: RunTrigger;
    executor: Executor;
    listing?: boolean;
    status?: "queued" | "running";
  },
): Promise<StartedRun> {
  // Before the lock: a safe point that is too low only makes a sweep spare more.
  const startSafePoint = status === "running" ? await readSafePoint(db, caller.workspaceId) : 0n;
  const { abandoned, ...started } = await inTransaction(db, async (tx) => {
    const feed = await lockFeed(tx, caller.workspaceId, feedId);
    requireWritable(feed);
    const abandoned = await abandonExpiredRun(tx, caller, feed);

    const runId = newId("run");
    await refuseSecondRun(tx, caller, feed, () =>
      insertRun(tx, caller, feed, { runId, trigger, executor, listing, status, startSafePoint }),
    );
    const run = await tx.syncRun.findUniqueOrThrow({
      where: { workspaceId_id: { workspaceId: caller.workspaceId, id: runId } },
      select: { leaseExpiresAt: true },
    });
    return { runId, leaseExpiresAt: run.leaseExpiresAt, cursor: feed.cursor, abandoned };
  });
  // Without its length: that says when it was missed, not how long it took.
  if (abandoned) noteRunEnd({ status: "abandoned", executor: abandoned.executor });
  publish(db, caller, { run: [started.runId], feed: [feedId] });
  return started;
}

async function insertRun(
  tx: Tx,
  { workspaceId, actor, requestId }: Caller,
  feed: LockedFeed,
  run: {
    runId: string;
    trigger: RunTrigger;
    executor: Executor;
    listing: boolean;
    status: "queued" | "running";
    startSafePoint: bigint;
  },
): Promise<number> {
  const isListing = run.listing || feed.cursor === null;
  // Raw because times are the database's own (processes disagree about the hour) and because
  // ON CONFLICT must name the partial index sync_runs_one_active.
  return tx.$executeRaw`
    INSERT INTO sync_runs (workspace_id, id, feed_id, source_id, status, trigger, executor, actor, listing,
                           start_safe_point, queued_at, started_at, lease_expires_at, deadline_at,
                           cursor_before, cursor_after, request_id)
    SELECT ${workspaceId}::int, ${run.runId}, ${feed.id}, ${feed.sourceId}, ${run.status}::"RunStatus",
           ${run.trigger}::"RunTrigger", ${run.executor}::"Executor", ${JSON.stringify(actor)}::jsonb,
           CASE WHEN ${run.status} = 'running' THEN ${isListing}::boolean ELSE ${run.listing}::boolean END,
           ${run.startSafePoint}::bigint, t.now,
           CASE WHEN ${run.status} = 'running' THEN t.now END,
           CASE WHEN ${run.status} = 'running' THEN t.now + make_interval(secs => ${leaseSeconds()}::int) END,
           CASE WHEN ${run.status} = 'running' THEN t.now + make_interval(secs => ${MAX_RUN_SECONDS[run.executor]}::int) END,
           ${feed.cursor}, ${feed.cursor}, ${requestId ?? null}
      FROM (SELECT clock_timestamp() AS now) t
    ON CONFLICT (workspace_id, feed_id) WHERE status IN ('queued', 'running') DO NOTHING`;
}

/** Under the feed lock nobody else starts a run, so a refused insert finds the run that refused it. */
async function refuseSecondRun(
  tx: Tx,
  { workspaceId }: Caller,
  feed: LockedFeed,
  insert: () => Promise<number>,
): Promise<void> {
  if ((await insert()) === 1) return;
  const active = await tx.syncRun.findFirst({
    where: { workspaceId, feedId: feed.id, status: { in: ["queued", "running"] } },
    select: { id: true },
  });
  throw new AppError("run_active", "A sync of this feed is already in progress.", {
    extra: active ? { runId: active.id } : {},
  });
}

/**
 * Turns a queued run into a running one, for the worker that calls it.
 *
 * @returns false when another worker took it, or when its feed or source may not be synced any more
 *   (the run is then cancelled).
 */
export async function activateRun(db: Db, caller: Caller, { runId }: { runId: string }): Promise<boolean> {
  const { workspaceId } = caller;
  const queued = await db.syncRun.findUnique({
    where: { workspaceId_id: { workspaceId, id: runId }, status: "queued" },
    select: { feedId: true, executor: true },
  });
  if (!queued) return false;
  const startSafePoint = await readSafePoint(db, workspaceId);

  const became = await inTransaction(db, async (tx) => {
    const feed = await lockFeed(tx, workspaceId, queued.feedId);
    const source = await tx.source.findUnique({
      where: { workspaceId_id: { workspaceId, id: feed.sourceId } },
      select: { state: true },
    });
    const maySync =
      source?.state === "active" && (feed.state === "active" || feed.state === "needs_reconnect");
    if (!maySync) {
      const cancelled = await tx.$executeRaw`
        UPDATE sync_runs SET status = 'cancelled', finished_at = clock_timestamp()
         WHERE workspace_id = ${workspaceId}::int AND id = ${runId} AND status = 'queued'`;
      return cancelled === 1 ? "cancelled" : "taken";
    }
    const activated = await tx.$executeRaw`
      UPDATE sync_runs
         SET status = 'running', started_at = t.now,
             lease_expires_at = t.now + make_interval(secs => ${leaseSeconds()}::int),
             deadline_at = t.now + make_interval(secs => ${MAX_RUN_SECONDS[queued.executor]}::int),
             listing = listing OR ${feed.cursor === null}::boolean,
             start_safe_point = ${startSafePoint}::bigint,
             cursor_before = ${feed.cursor}, cursor_after = ${feed.cursor}
        FROM (SELECT clock_timestamp() AS now) t
       WHERE workspace_id = ${workspaceId}::int AND id = ${runId} AND status = 'queued'`;
    return activated === 1 ? "ours" : "taken";
  });
  if (became === "cancelled") noteRunEnd({ status: "cancelled", executor: queued.executor });
  publish(db, caller, { run: [runId], feed: [queued.feedId] });
  return became === "ours";
}
