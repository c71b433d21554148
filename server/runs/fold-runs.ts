import type { Db } from "@/server/db";

/** Runs that changed nothing are told one by one for this long, then by day. */
const FOLD_AFTER_DAYS = 7;
/** Small, so that no statement holds locks or writes for long. */
const BATCH = 500;

export type FoldResult = { folded: number; expired: number; orphanedKeys: number };

/**
 * Keeps the audit trail readable and bounded: folds runs that changed nothing into daily rows after
 * seven days, deletes runs and their events after the workspace's retention, and clears listing keys
 * that a crash left behind. Works in small batches and stops between them when the signal is aborted.
 */
export async function foldRuns(db: Db, { signal }: { signal?: AbortSignal } = {}): Promise<FoldResult> {
  const folded = await repeatBatches(() => foldBatch(db), signal);
  const expired = await repeatBatches(() => expireBatch(db), signal);
  const orphanedKeys = await repeatBatches(() => dropOrphanedKeys(db), signal);
  return { folded, expired, orphanedKeys };
}

async function repeatBatches(batch: () => Promise<number>, signal: AbortSignal | undefined): Promise<number> {
  let total = 0;
  for (;;) {
    const count = signal?.aborted ? 0 : await batch();
    total += count;
    if (count < BATCH) return total;
  }
}

/** One statement, so that a run is either a row of its own or counted in its day, never both. */
async function foldBatch(db: Db): Promise<number> {
  const [row] = await db.$queryRaw<{ count: bigint }[]>`
    WITH uneventful AS (
      SELECT r.workspace_id, r.id
        FROM sync_runs r
       WHERE r.status IN ('succeeded', 'partial', 'cancelled')
         AND r.finished_at < clock_timestamp() - make_interval(days => ${FOLD_AFTER_DAYS}::int)
         AND r.created = 0 AND r.updated = 0 AND r.deleted = 0 AND r.rejected = 0
         AND r.cursor_before IS NOT DISTINCT FROM r.cursor_after AND r.warnings = '[]'
         -- What a person has to decide, or may look up, keeps its run.
         AND NOT EXISTS (SELECT 1 FROM held_deletes h WHERE h.workspace_id = r.workspace_id AND h.run_id = r.id)
       LIMIT ${BATCH}::int
         FOR UPDATE SKIP LOCKED
    ), events AS (
      DELETE FROM run_events e USING uneventful u WHERE e.workspace_id = u.workspace_id AND e.run_id = u.id
    ), gone AS (
      DELETE FROM sync_runs r USING uneventful u WHERE r.workspace_id = u.workspace_id AND r.id = u.id
      RETURNING r.workspace_id, r.feed_id, (r.finished_at AT TIME ZONE 'UTC')::date AS day, r.status, r.requests, r.bytes
    ), days AS (
      INSERT INTO run_days AS d (workspace_id, feed_id, day, status, runs, requests, bytes)
      SELECT workspace_id, feed_id, day, status, count(*), sum(requests), sum(bytes)
        FROM gone GROUP BY workspace_id, feed_id, day, status
      ON CONFLICT (workspace_id, feed_id, day, status) DO UPDATE
         SET runs = d.runs + excluded.runs, requests = d.requests + excluded.requests, bytes = d.bytes + excluded.bytes
    )
    SELECT count(*) AS count FROM gone`;
  return Number(row?.count ?? 0);
}

async function expireBatch(db: Db): Promise<number> {
  const [row] = await db.$queryRaw<{ count: bigint }[]>`
    WITH expired AS (
      SELECT r.workspace_id, r.id
        FROM sync_runs r JOIN workspaces w ON w.id = r.workspace_id
       WHERE r.finished_at < clock_timestamp() - make_interval(days => w.run_retention_days)
       LIMIT ${BATCH}::int
         FOR UPDATE OF r SKIP LOCKED
    ), events AS (
      DELETE FROM run_events e USING expired x WHERE e.workspace_id = x.workspace_id AND e.run_id = x.id
    ), gone AS (
      DELETE FROM sync_runs r USING expired x WHERE r.workspace_id = x.workspace_id AND r.id = x.id RETURNING 1
    )
    SELECT count(*) AS count FROM gone`;
  return Number(row?.count ?? 0);
}

/** Keys of runs that are over: settleRun drops them, unless the run's feed was gone by then. */
async function dropOrphanedKeys(db: Db): Promise<number> {
  return db.$executeRaw`
    DELETE FROM run_keys
     WHERE ctid = ANY(ARRAY(
       SELECT k.ctid FROM run_keys k
        WHERE NOT EXISTS (SELECT 1 FROM sync_runs r
                           WHERE r.workspace_id = k.workspace_id AND r.id = k.run_id AND r.status = 'running')
        LIMIT ${BATCH}::int))`;
}
