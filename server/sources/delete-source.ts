import { audit } from "@/server/access/audit";
import type { Caller } from "@/server/actor";
import type { Db } from "@/server/db";
import { INLINE_DOCUMENTS, markDeleting } from "@/server/feeds/delete-feed";
import { finishFeedDeletion } from "@/server/feeds/finish-feed-deletion";
import { publish } from "@/server/live/publish";
import { noteRunEnd } from "@/server/metrics/note-run";
import { inTransaction } from "@/server/transaction";
import { finishSourceDeletion } from "./finish-source-deletion";
import { getSource, requireSource } from "./get-source";
import type { ApiSource } from "./source-shape";

/** Each feed costs a few statements; more of them than this go to the background. */
const INLINE_FEEDS = 20;

/**
 * Deletes a source with its feeds: every document becomes a tombstone in the change feed, then the
 * rows go. Its key is free again at once; deleting twice is deleting once.
 *
 * @returns null when it is done; the source, `deleting`, while the background goes on (continueDeletions).
 * @throws AppError not_found
 */
export async function deleteSource(
  db: Db,
  caller: Caller,
  { sourceId }: { sourceId: string },
): Promise<ApiSource | null> {
  const { workspaceId } = caller;
  await requireSource(db, caller, sourceId);
  const cancelled = await inTransaction(db, async (tx) => {
    const { count } = await tx.source.updateMany({
      where: { workspaceId, id: sourceId, state: { not: "deleting" } },
      data: { state: "deleting", key: null, updatedAt: new Date() },
    });
    if (count === 0) return [];
    // The source's row is locked by the update: no feed is added from here on. The feeds are locked in
    // one statement, in the order of their ids; raw because Prisma has no FOR UPDATE.
    const feeds = await tx.$queryRaw<{ id: string }[]>`
      SELECT id FROM feeds
       WHERE workspace_id = ${workspaceId}::int AND source_id = ${sourceId}
       ORDER BY id
         FOR UPDATE`;
    const runs = await markDeleting(tx, caller, { sourceId });
    await audit(tx, caller, "source.delete", sourceId, { feeds: feeds.length });
    return runs;
  });
  for (const run of cancelled) noteRunEnd(run);
  publish(db, caller, { source: [sourceId] });
  const feeds = await db.feed.findMany({
    where: { workspaceId, sourceId },
    select: { id: true, documentCount: true },
    orderBy: { id: "asc" },
    take: INLINE_FEEDS + 1,
  });
  const documents = feeds.reduce((sum, feed) => sum + feed.documentCount, 0);
  if (feeds.length > INLINE_FEEDS || documents > INLINE_DOCUMENTS) return getSource(db, caller, { sourceId });
  for (const { id } of feeds) await finishFeedDeletion(db, { workspaceId, feedId: id });
  await finishSourceDeletion(db, { workspaceId, sourceId });
  return null;
}
