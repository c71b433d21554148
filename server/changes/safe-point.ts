import type { Db } from "@/server/db";

/**
 * The safe point: how far the change feed can be served without ever missing a change.
 *
 * A sequence is not commit-ordered: a transaction that took 101 may commit after one that took 102.
 * So every writing transaction takes, before its first nextval, a shared advisory lock whose key is a
 * lower bound of every seq it will get (trigger `documents_hold_safe_point`). A reader must look in
 * this order, each in a statement (and so a snapshot) of its own:
 *
 *   1. `last_value`: a writer that appears later gets higher numbers than this.
 *   2. the lowest such lock: an open writer's numbers are at or above its key.
 *   3. only then rows up to min(last_value, lowest − 1): whoever released a lock before step 2 had
 *      already made its rows visible.
 *
 * In one statement the snapshot of (3) could be older than the lock table seen in (2), and a commit
 * in between would be skipped for ever.
 */

/** Namespace of the lock keys, `TS`; the trigger in the migration uses the same number. */
const NAMESPACE = 21587;

/** Steps 1 and 2: rows with `seq <= bound` are final, whatever is still open. Never hand it out. */
export async function readBound(db: Db): Promise<bigint> {
  const [sequence] = await db.$queryRaw<{ last: bigint }[]>`SELECT last_value AS last FROM document_seq`;
  const [locks] = await db.$queryRaw<{ lowest: bigint | null }[]>`
    SELECT min(((classid::bigint << 32) | objid::bigint) & ((1::bigint << 48) - 1)) AS lowest
      FROM pg_locks
     WHERE locktype = 'advisory' AND objsubid = 1 AND granted
       AND classid::bigint >> 16 = ${NAMESPACE}::bigint
       AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;
  if (!sequence) throw new Error("document_seq is missing: the database is not migrated");
  const lowest = locks?.lowest ?? null;
  return lowest !== null && lowest <= sequence.last ? lowest - 1n : sequence.last;
}

/**
 * The highest committed seq of a workspace that may be served; 0 when there is none.
 *
 * A rolled-back nextval is not durable (after a crash `last_value` can go back), so the bound itself
 * must not be stored or handed out; a committed row's seq may.
 */
export async function readSafePoint(db: Db, workspaceId: number): Promise<bigint> {
  const bound = await readBound(db);
  const [row] = await db.$queryRaw<{ position: bigint | null }[]>`
    SELECT max(seq) AS position FROM documents WHERE workspace_id = ${workspaceId}::int AND seq <= ${bound}::bigint`;
  return row?.position ?? 0n;
}
