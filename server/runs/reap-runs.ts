import type { Caller } from "@/server/actor";
import type { Db, Executor, Tx } from "@/server/db";
import { AppError } from "@/server/errors";
import { type LockedFeed, lockFeed } from "@/server/ingest/lock-feed";
import { publish } from "@/server/live/publish";
import { log } from "@/server/log";
import { noteRunEnd } from "@/server/metrics/note-run";
import { inTransaction } from "@/server/transaction";
import type { RunError } from "./run-error";
import { QUEUE_SECONDS } from "./run-limits";
import { type SettledRun, settleRun } from "./settle-run";

const BATCH = 100;

const LOST: RunError = {
  origin: "tidemark",
  code: "run_abandoned",
  message:
    "The program that ran this sync stopped without a word. What it had stored is kept; the next run goes on from there.",
  detail: null,
  retryable: true,
};

type ExpiredRun = { workspaceId: number; id: string; feedId: string; executor: Executor; queued: boolean };

/**
 * Abandons runs whose lease ran out, and queued ones that no worker took. Whatever such a run's
 * executor still sends is fenced off, because every write names its run.
 *
 * @returns how many were abandoned.
 */
export async function reapRuns(db: Db): Promise<number> {
  const expired = await db.$queryRaw<ExpiredRun[]>`
    SELECT workspace_id AS "workspaceId", id, feed_id AS "feedId", executor::text, status = 'queued' AS queued
      FROM sync_runs
     WHERE (status = 'running' AND lease_expires_at < clock_timestamp())
        OR (status = 'queued' AND queued_at < clock_timestamp() - make_interval(secs => ${QUEUE_SECONDS}::int))
     LIMIT ${BATCH}::int`;
  let reaped = 0;
  for (const { workspaceId, id, feedId, executor, queued } of expired) {
    const caller: Caller = { workspaceId, actor: { type: "scheduler" } };
    try {
      const done = queued
        ? await abandonQueuedRun(db, caller, id)
        : await abandonRun(db, caller, { runId: id, feedId });
      if (done) {
        reaped += 1;
        noteRunEnd({ status: "abandoned", executor });
        publish(db, caller, { run: [id], feed: [feedId] });
      }
    } catch (error) {
      // One row that cannot be settled must not keep the others alive.
      log.error({ err: error, runId: id, workspaceId }, "run could not be abandoned");
    }
  }
  return reaped;
}

/**
 * In startRun's transaction, under the feed's lock: whoever comes next need not wait for the reaper.
 *
 * @returns what was abandoned, to be counted after the commit.
 */
export async function abandonExpiredRun(
  tx: Tx,
  caller: Caller,
  feed: LockedFeed,
): Promise<SettledRun | null> {
  const [expired] = await tx.$queryRaw<{ id: string }[]>`
    SELECT id FROM sync_runs
     WHERE workspace_id = ${caller.workspaceId}::int AND feed_id = ${feed.id}
       AND status = 'running' AND lease_expires_at < clock_timestamp()`;
  return expired ? settleAsLost(tx, caller, feed, expired.id) : null;
}

async function abandonRun(db: Db, caller: Caller, run: { runId: string; feedId: string }): Promise<boolean> {
  try {
    return await inTransaction(db, async (tx) => {
      const feed = await lockFeed(tx, caller.workspaceId, run.feedId);
      return (await settleAsLost(tx, caller, feed, run.runId)) !== null;
    });
  } catch (error) {
    if (!(error instanceof AppError && error.code === "feed_not_found")) throw error;
    // Its feed is gone, so there are no consequences to draw.
    const { count } = await db.syncRun.updateMany({
      where: { workspaceId: caller.workspaceId, id: run.runId, status: "running" },
      data: { status: "abandoned", error: LOST, finishedAt: new Date() },
    });
    return count === 1;
  }
}

async function settleAsLost(
  tx: Tx,
  caller: Caller,
  feed: LockedFeed,
  runId: string,
): Promise<SettledRun | null> {
  const settled = await settleRun(tx, caller, feed, {
    runId,
    status: "abandoned",
    from: "expired",
    error: LOST,
  });
  if (settled)
    log.warn({ runId, feedId: feed.id, workspaceId: caller.workspaceId }, "run abandoned: its lease ran out");
  return settled;
}

async function abandonQueuedRun(db: Db, { workspaceId }: Caller, runId: string): Promise<boolean> {
  const abandoned = await db.$executeRaw`
    UPDATE sync_runs
       SET status = 'abandoned', finished_at = clock_timestamp(),
           error = ${JSON.stringify({ ...LOST, code: "not_started", message: "No worker took this run." })}::jsonb
     WHERE workspace_id = ${workspaceId}::int AND id = ${runId} AND status = 'queued'
       AND queued_at < clock_timestamp() - make_interval(secs => ${QUEUE_SECONDS}::int)`;
  return abandoned === 1;
}
