import type { Db } from "@/server/db";
import { repeatBatches } from "@/server/repeat-batches";

/** Small rows; still no statement that holds locks for long. */
const BATCH = 2000;

export type ExpireResult = { days: number; transitions: number; rejections: number; holds: number };

/**
 * Deletes what is only told beside runs, after as long as runs are kept: days of folded runs, moves of
 * cursors, refused items that were not seen again, and decided holds. A feed's newest transition stays:
 * it says how the feed came to its cursor. Works in small batches and stops between them when the
 * signal is aborted.
 */
export async function expireRecords(
  db: Db,
  { signal }: { signal?: AbortSignal } = {},
): Promise<ExpireResult> {
  return {
    days: await repeatBatches(BATCH, signal, () => expireDays(db)),
    transitions: await repeatBatches(BATCH, signal, () => expireTransitions(db)),
    rejections: await repeatBatches(BATCH, signal, () => expireRejections(db)),
    holds: await repeatBatches(BATCH, signal, () => expireHolds(db)),
  };
}

// Raw because retention is the workspace's own and because Prisma's deleteMany knows no LIMIT. By ctid:
// a row that changes in between has another one and is left alone.

async function expireDays(db: Db): Promise<number> {
  return db.$executeRaw`
    DELETE FROM run_days
     WHERE ctid = ANY(ARRAY(
       SELECT d.ctid FROM run_days d JOIN workspaces w ON w.id = d.workspace_id
        WHERE d.day < (clock_timestamp() AT TIME ZONE 'UTC')::date - w.run_retention_days
        LIMIT ${BATCH}::int))`;
}

async function expireTransitions(db: Db): Promise<number> {
  return db.$executeRaw`
    DELETE FROM cursor_transitions
     WHERE ctid = ANY(ARRAY(
       SELECT t.ctid FROM cursor_transitions t JOIN workspaces w ON w.id = t.workspace_id
        WHERE t.at < clock_timestamp() - make_interval(days => w.run_retention_days)
          AND (EXISTS (SELECT 1 FROM cursor_transitions n
                        WHERE n.workspace_id = t.workspace_id AND n.feed_id = t.feed_id AND n.id > t.id)
            OR NOT EXISTS (SELECT 1 FROM feeds f WHERE f.workspace_id = t.workspace_id AND f.id = t.feed_id))
        LIMIT ${BATCH}::int))`;
}

async function expireRejections(db: Db): Promise<number> {
  return db.$executeRaw`
    DELETE FROM rejected_documents
     WHERE ctid = ANY(ARRAY(
       SELECT r.ctid FROM rejected_documents r JOIN workspaces w ON w.id = r.workspace_id
        WHERE r.last_at < clock_timestamp() - make_interval(days => w.run_retention_days)
        LIMIT ${BATCH}::int))`;
}

async function expireHolds(db: Db): Promise<number> {
  return db.$executeRaw`
    DELETE FROM held_deletes
     WHERE ctid = ANY(ARRAY(
       SELECT h.ctid FROM held_deletes h JOIN workspaces w ON w.id = h.workspace_id
        WHERE h.status <> 'held' AND h.decided_at < clock_timestamp() - make_interval(days => w.run_retention_days)
        LIMIT ${BATCH}::int))`;
}
