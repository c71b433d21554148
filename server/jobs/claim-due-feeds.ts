import type { Db } from "@/server/db";
import { newId } from "@/server/ids";
import { inTransaction } from "@/server/transaction";

export type QueuedRun = { workspaceId: number; runId: string };
/** `isAwaited`: someone asked for it, so someone may be waiting. */
export type WaitingRun = QueuedRun & { isAwaited: boolean };

/**
 * Queues a run for each feed that is due. A rival process takes the next feeds instead of waiting for
 * ours, and the one-active-run index refuses what slips through, so a feed gets one run, not two.
 *
 * @param types adapter types this process can run. Feeds of agents and of pushes are never due here,
 *   nor those that are paused or whose source is.
 */
export async function claimDueFeeds(
  db: Db,
  { types, limit }: { types: readonly string[]; limit: number },
): Promise<QueuedRun[]> {
  if (limit <= 0 || types.length === 0) return [];
  return inTransaction(db, async (tx) => {
    // Raw for SKIP LOCKED, and because this is the one question asked across all workspaces.
    const due = await tx.$queryRaw<{ workspaceId: number; feedId: string; sourceId: string }[]>`
      SELECT f.workspace_id AS "workspaceId", f.id AS "feedId", f.source_id AS "sourceId"
        FROM feeds f JOIN sources s ON s.workspace_id = f.workspace_id AND s.id = f.source_id
       WHERE f.state = 'active' AND f.next_sync_at <= clock_timestamp()
         AND s.state = 'active' AND s.runs_on = 'cloud' AND s.type = ANY(${[...types]}::text[])
         AND NOT EXISTS (SELECT 1 FROM sync_runs r
                          WHERE r.workspace_id = f.workspace_id AND r.feed_id = f.id AND r.status IN ('queued', 'running'))
       ORDER BY f.next_sync_at
       LIMIT ${limit}::int
         FOR UPDATE OF f SKIP LOCKED`;
    if (due.length === 0) return [];
    const runs = due.map((feed) => ({ ...feed, id: newId("run") }));
    return tx.$queryRaw<QueuedRun[]>`
      INSERT INTO sync_runs (workspace_id, id, feed_id, source_id, status, trigger, executor, actor, queued_at)
      SELECT r."workspaceId", r.id, r."feedId", r."sourceId", 'queued', 'schedule', 'cloud', '{"type":"scheduler"}', clock_timestamp()
        FROM jsonb_to_recordset(${JSON.stringify(runs)}::jsonb)
          AS r("workspaceId" int, id text, "feedId" text, "sourceId" text)
      ON CONFLICT (workspace_id, feed_id) WHERE status IN ('queued', 'running') DO NOTHING
      RETURNING workspace_id AS "workspaceId", id AS "runId"`;
  });
}

/** Runs waiting for a worker, those asked for first, then the oldest; also those left by a process that died. */
export async function listQueuedRuns(
  db: Db,
  { types, limit }: { types: readonly string[]; limit: number },
): Promise<WaitingRun[]> {
  if (limit <= 0 || types.length === 0) return [];
  // Materialized: the few queued runs come from their own small index. Joined in one go, a planner
  // without fresh statistics collects each source's whole history instead (measured: 360 ms, not 1).
  return db.$queryRaw<WaitingRun[]>`
    WITH waiting AS MATERIALIZED (
      SELECT workspace_id, id, source_id, trigger, queued_at FROM sync_runs
       WHERE status = 'queued' AND executor = 'cloud'
    )
    SELECT r.workspace_id AS "workspaceId", r.id AS "runId", r.trigger <> 'schedule' AS "isAwaited"
      FROM waiting r JOIN sources s ON s.workspace_id = r.workspace_id AND s.id = r.source_id
     WHERE s.type = ANY(${[...types]}::text[])
     ORDER BY r.trigger <> 'schedule' DESC, r.queued_at
     LIMIT ${limit}::int`;
}

/** Feeds that are due now and have no run yet, and how many seconds the first of them has been due. */
export async function measureDueFeeds(
  db: Db,
  types: readonly string[],
): Promise<{ count: number; seconds: number }> {
  const [row] = await db.$queryRaw<{ count: bigint; seconds: number }[]>`
    SELECT count(*) AS count,
           coalesce(extract(epoch FROM clock_timestamp() - min(f.next_sync_at)), 0)::float8 AS seconds
      FROM feeds f JOIN sources s ON s.workspace_id = f.workspace_id AND s.id = f.source_id
     WHERE f.state = 'active' AND f.next_sync_at <= clock_timestamp()
       AND s.state = 'active' AND s.runs_on = 'cloud' AND s.type = ANY(${[...types]}::text[])
       AND NOT EXISTS (SELECT 1 FROM sync_runs r
                        WHERE r.workspace_id = f.workspace_id AND r.feed_id = f.id AND r.status IN ('queued', 'running'))`;
  return { count: Number(row?.count ?? 0), seconds: row?.seconds ?? 0 };
}
