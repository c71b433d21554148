import type { Tx } from "@/server/db";

/** Few enough that the feeds' locks are held, and the change feed held back, for some 50 ms only. */
const BATCH = 500;
/** Whoever has waited so long for a feed is in the way of a run's end or a large sweep; the next round tries. */
const LOCK_TIMEOUT_MS = 2_000;

export type PurgedBatch = {
  /** Tombstones that became graves. */
  purged: number;
  /** Highest seq among what was looked at and due: where the next batch begins; null when nothing is due. */
  lastSeq: bigint | null;
  /** More may be due. */
  isFull: boolean;
  feedIds: string[];
};

type Candidates = { ids: string[] | null; feedIds: string[] | null; lastSeq: bigint | null };

/**
 * Turns the oldest tombstones of a workspace into graves, in one transaction, as far as they are due.
 *
 * They go in the order of seq and end before the first that is not due, so every tombstone up to the
 * horizon is purged and none above it: whoever has seen all changes up to there missed no delete.
 *
 * @param after where the last batch ended, so that its dead index entries are not walked again.
 * @param bound a safe point's bound (readBound), read before: no change at or below it can still appear,
 *   so a horizon at or below it hides none.
 * @throws a lock timeout when a feed stays locked; nothing was changed then.
 */
export async function purgeBatch(
  tx: Tx,
  {
    workspaceId,
    after,
    bound,
    marginMinutes,
  }: { workspaceId: number; after: bigint; bound: bigint; marginMinutes: number },
): Promise<PurgedBatch> {
  await preparePlanner(tx);
  const { ids, feedIds, lastSeq } = await findDue(tx, workspaceId, after, bound, marginMinutes);
  if (!ids || !feedIds || lastSeq === null) return { purged: 0, lastSeq: null, isFull: false, feedIds: [] };

  // Every path that writes documents locks the feed first. In the order of ids, as deleteSource does. A
  // feed that is gone has no row to lock, and no writer either.
  await tx.$queryRaw`
    SELECT id FROM feeds WHERE workspace_id = ${workspaceId}::int AND id = ANY (${feedIds}::text[]) ORDER BY id FOR UPDATE`;
  // Rivals that purge take turns here, and retention stays what is read below.
  await tx.$queryRaw`SELECT id FROM workspaces WHERE id = ${workspaceId}::int FOR NO KEY UPDATE`;

  // What was chosen without a lock is judged again: it may have come back to life, or a rival purged it.
  // The horizon first: nobody sees a delete gone and the horizon still below it.
  const [moved] = await tx.$queryRaw<{ top: bigint }[]>`
    UPDATE workspaces w SET horizon = greatest(w.horizon, due.top)
      FROM (SELECT max(d.seq) AS top
              FROM documents d JOIN workspaces s ON s.id = d.workspace_id
             WHERE d.workspace_id = ${workspaceId}::int AND d.id = ANY (${ids}::text[])
               AND d.state = 'tombstone' AND d.seq <= ${lastSeq}::bigint
               AND d.changed_at < now() - make_interval(days => s.retention_days, mins => ${marginMinutes}::int)) due
     WHERE w.id = ${workspaceId}::int AND due.top IS NOT NULL
    RETURNING due.top`;
  const purged = moved ? await bury(tx, workspaceId, ids, moved.top) : 0;
  return { purged, lastSeq, isFull: ids.length === BATCH, feedIds };
}

/** The batch is the head of an index; a planner without statistics would read and sort the whole table. */
async function preparePlanner(tx: Tx): Promise<void> {
  await tx.$queryRaw`
    SELECT set_config('enable_seqscan', 'off', true), set_config('enable_sort', 'off', true),
           set_config('enable_bitmapscan', 'off', true),
           set_config('lock_timeout', ${String(LOCK_TIMEOUT_MS)}, true),
           -- A grave is no change: nobody who waits for one needs to be woken.
           set_config('tidemark.tells_readers', '1', true)`;
}

async function findDue(
  tx: Tx,
  workspaceId: number,
  after: bigint,
  bound: bigint,
  marginMinutes: number,
): Promise<Candidates> {
  const [row] = await tx.$queryRaw<Candidates[]>`
    WITH head AS MATERIALIZED (
      SELECT d.id, d.feed_id, d.seq,
             d.changed_at < now() - make_interval(days => w.retention_days, mins => ${marginMinutes}::int) AS due
        FROM workspaces w JOIN documents d ON d.workspace_id = w.id
       WHERE w.id = ${workspaceId}::int AND d.workspace_id = ${workspaceId}::int AND d.state = 'tombstone'
         AND d.seq > ${after}::bigint AND d.seq <= ${bound}::bigint
       ORDER BY d.seq
       LIMIT ${BATCH}::int)
    SELECT array_agg(h.id) AS ids, array_agg(DISTINCT h.feed_id) AS "feedIds", max(h.seq) AS "lastSeq"
      FROM head h
     WHERE h.seq < coalesce((SELECT min(seq) FROM head WHERE NOT due), 9223372036854775807)`;
  return row ?? { ids: null, feedIds: null, lastSeq: null };
}

/** Of a grave is left what decides about an old page: the key's hash (its id), the version, the kind of delete. */
async function bury(tx: Tx, workspaceId: number, ids: string[], upTo: bigint): Promise<number> {
  return tx.$executeRaw`
    UPDATE documents d
       SET state = 'grave', seq = NULL, external_id = NULL, key = NULL, format = 'text', last_run_id = NULL
     WHERE d.workspace_id = ${workspaceId}::int AND d.id = ANY (${ids}::text[])
       AND d.state = 'tombstone' AND d.seq <= ${upTo}::bigint`;
}
