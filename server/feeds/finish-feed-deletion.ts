import type { Db, Tx } from "@/server/db";
import { publish } from "@/server/live/publish";
import { inTransaction } from "@/server/transaction";
import { deleteCredential } from "@/server/vault/credentials";

/** Few enough that the feed's lock is held, and the change feed held back, for some 50 ms only. */
const BATCH = 500;

/**
 * Brings a feed's deletion to its end, a batch per transaction: each locks the feed row, so rival
 * workers take turns and a crash loses nothing but the batch it was in.
 *
 * @param mayGoOn asked between batches; false leaves the rest for later.
 * @returns true when the feed is gone.
 */
export async function finishFeedDeletion(
  db: Db,
  { workspaceId, feedId }: { workspaceId: number; feedId: string },
  mayGoOn: () => boolean = () => true,
): Promise<boolean> {
  do {
    const left = await inTransaction(db, (tx) => deleteBatch(tx, workspaceId, feedId));
    publish(db, { workspaceId }, { feed: [feedId], documents: [feedId] });
    if (left === 0) return true;
  } while (mayGoOn());
  return false;
}

/** @returns how many documents may still be live; 0 when the feed is gone. */
async function deleteBatch(tx: Tx, workspaceId: number, feedId: string): Promise<number> {
  // Raw because Prisma has no FOR UPDATE. No row: a rival finished.
  const [feed] = await tx.$queryRaw<{ credentialId: string | null }[]>`
    SELECT credential_id AS "credentialId",
           -- The batch is the head of an index; without statistics the planner would sort the whole feed for
           -- it, and then look for its rows in the whole table.
           set_config('enable_sort', 'off', true) AS "noSort", set_config('enable_bitmapscan', 'off', true) AS "noBitmap",
           set_config('enable_seqscan', 'off', true) AS "noScan"
      FROM feeds
     WHERE workspace_id = ${workspaceId}::int AND id = ${feedId} AND state = 'deleting'
       FOR UPDATE`;
  if (!feed) return 0;
  const tombstoned = await tombstoneLive(tx, workspaceId, feedId);
  if (tombstoned === BATCH) return tombstoned;
  await removeFeed(tx, workspaceId, feedId);
  if (feed.credentialId) await deleteCredential(tx, workspaceId, feed.credentialId);
  return 0;
}

/** Tombstones up to BATCH live documents, the oldest change first, and lowers the count by as many. */
async function tombstoneLive(tx: Tx, workspaceId: number, feedId: string): Promise<number> {
  // `seq IS NOT NULL` goes without saying, but not to the planner, who needs it for the partial index.
  const [row] = await tx.$queryRaw<{ tombstoned: number }[]>`
    SELECT tombstone_documents(
             ${workspaceId}::int,
             ARRAY(SELECT id FROM documents
                    WHERE workspace_id = ${workspaceId}::int AND feed_id = ${feedId} AND state = 'live' AND seq IS NOT NULL
                    ORDER BY seq
                    LIMIT ${BATCH}::int),
             'explicit', NULL) AS tombstoned`;
  const tombstoned = row?.tombstoned ?? 0;
  await tx.$executeRaw`
    UPDATE feeds SET document_count = greatest(0, document_count - ${tombstoned}::int)
     WHERE workspace_id = ${workspaceId}::int AND id = ${feedId}`;
  return tombstoned;
}

/**
 * The row and what only made sense beside it. Tombstones stay for followers until purge; runs and
 * transitions stay as the audit trail.
 */
async function removeFeed(tx: Tx, workspaceId: number, feedId: string): Promise<void> {
  await tx.$executeRaw`
    DELETE FROM held_delete_items
     WHERE workspace_id = ${workspaceId}::int
       AND hold_id IN (SELECT id FROM held_deletes WHERE workspace_id = ${workspaceId}::int AND feed_id = ${feedId})`;
  await tx.heldDelete.deleteMany({ where: { workspaceId, feedId } });
  await tx.rejectedDocument.deleteMany({ where: { workspaceId, feedId } });
  await tx.$executeRaw`
    DELETE FROM run_keys k USING sync_runs r
     WHERE k.workspace_id = ${workspaceId}::int AND r.workspace_id = ${workspaceId}::int
       AND r.feed_id = ${feedId} AND k.run_id = r.id`;
  await tx.feed.deleteMany({ where: { workspaceId, id: feedId, state: "deleting" } });
}
