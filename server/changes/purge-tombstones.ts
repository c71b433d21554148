import { readBound } from "@/server/changes/safe-point";
import type { Db } from "@/server/db";
import { publish } from "@/server/live/publish";
import { log } from "@/server/log";
import { inTransaction, isLockTimeout } from "@/server/transaction";
import { purgeBatch } from "./purge-batch";

/**
 * Added to every retention. A tombstone's `changedAt` is when its transaction began, and it becomes
 * visible when it ends, so a reader may have come by in between and not seen it. Twice the longest
 * writing transaction (a sweep, ten minutes) is enough; with an hour nobody who stays away no longer
 * than the retention is ever expired.
 */
const MARGIN_MINUTES = 60;

export type PurgeResult = { purged: number; workspaces: number };

/**
 * Turns tombstones that are older than their workspace's retention into graves. Readers who were away
 * longer are told that their cursor expired: the horizon moves with every batch, in its transaction.
 *
 * Called by maintenance. Several processes may call it at once, and a crash loses nothing but the batch
 * it was in. When nothing is due it reads one index entry per workspace and writes nothing.
 *
 * @param budgetMs stop beginning batches after so long; `signal` likewise.
 * @throws the first failure, once every workspace had its turn.
 */
export async function purgeTombstones(
  db: Db,
  { budgetMs = 10_000, signal }: { budgetMs?: number; signal?: AbortSignal } = {},
): Promise<PurgeResult> {
  const deadline = performance.now() + budgetMs;
  const mayGoOn = () => performance.now() < deadline && !signal?.aborted;
  const result: PurgeResult = { purged: 0, workspaces: 0 };
  const failures: unknown[] = [];
  for (const workspaceId of await listDueWorkspaces(db)) {
    if (result.workspaces > 0 && !mayGoOn()) break;
    result.workspaces += 1;
    try {
      result.purged += await purgeWorkspace(db, workspaceId, mayGoOn);
    } catch (error) {
      if (isLockTimeout(error)) {
        log.debug({ workspaceId }, "purge waits for a feed that is in use");
        continue;
      }
      log.error({ err: error, workspaceId }, "tombstones could not be purged");
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
  return result;
}

async function purgeWorkspace(db: Db, workspaceId: number, mayGoOn: () => boolean): Promise<number> {
  // Before the rows are read: whatever commits later has a higher seq, and a horizon at or below this
  // bound hides no change that a reader has yet to see.
  const { bound } = await readBound(db);
  let purged = 0;
  let after = 0n;
  do {
    const batch = await inTransaction(db, (tx) =>
      purgeBatch(tx, { workspaceId, after, bound, marginMinutes: MARGIN_MINUTES }),
    );
    purged += batch.purged;
    if (batch.purged > 0) publish(db, { workspaceId }, { documents: batch.feedIds });
    if (!batch.isFull || batch.lastSeq === null) return purged;
    after = batch.lastSeq;
  } while (mayGoOn());
  return purged;
}

/** Workspaces whose oldest tombstone is due, the most overdue first. */
async function listDueWorkspaces(db: Db): Promise<number[]> {
  const rows = await inTransaction(db, async (tx) => {
    // One index entry per workspace; without statistics the planner would read all documents instead.
    await tx.$queryRaw`SELECT set_config('enable_seqscan', 'off', true), set_config('enable_bitmapscan', 'off', true)`;
    return tx.$queryRaw<{ id: number }[]>`
      SELECT w.id
        FROM workspaces w
       CROSS JOIN LATERAL (
         SELECT d.changed_at FROM documents d
          WHERE d.workspace_id = w.id AND d.state = 'tombstone' AND d.seq IS NOT NULL
          ORDER BY d.seq
          LIMIT 1) oldest
       WHERE oldest.changed_at < now() - make_interval(days => w.retention_days, mins => ${MARGIN_MINUTES}::int)
       ORDER BY oldest.changed_at`;
  });
  return rows.map(({ id }) => id);
}
