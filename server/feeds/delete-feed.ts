import { audit } from "@/server/access/audit";
import type { Caller } from "@/server/actor";
import type { Db, Executor, Tx } from "@/server/db";
import { lockFeed } from "@/server/ingest/lock-feed";
import { publish } from "@/server/live/publish";
import { noteRunEnd } from "@/server/metrics/note-run";
import { inTransaction } from "@/server/transaction";
import type { ApiFeed } from "./feed-shape";
import { finishFeedDeletion } from "./finish-feed-deletion";
import { getFeed, requireFeed } from "./get-feed";
import { refuseFeed } from "./refused-feeds";

/** A delete of at most so many documents is finished before the answer: well under a second. */
export const INLINE_DOCUMENTS = 1000;

/**
 * Deletes a feed: every document becomes a tombstone in the change feed, so that followers delete
 * theirs, then the row goes. Its externalKey is free again at once. A run in progress is cancelled
 * and fenced off; deleting twice is deleting once.
 *
 * @returns null when it is done; the feed, `deleting`, while the background goes on (continueDeletions).
 * @throws AppError feed_not_found
 */
export async function deleteFeed(
  db: Db,
  caller: Caller,
  { feedId }: { feedId: string },
): Promise<ApiFeed | null> {
  await requireFeed(db, caller, feedId);
  const { documents, cancelled } = await inTransaction(db, async (tx) => {
    const feed = await lockFeed(tx, caller.workspaceId, feedId);
    const documents = feed.documentCount;
    if (feed.state === "deleting") return { documents, cancelled: [] };
    const cancelled = await markDeleting(tx, caller, { feedId });
    await refuseFeed(tx, caller.workspaceId, feedId, "deleted");
    await audit(tx, caller, "feed.delete", feedId, { documents });
    return { documents, cancelled };
  });
  for (const run of cancelled) noteRunEnd(run);
  publish(db, caller, { feed: [feedId] });
  if (documents <= INLINE_DOCUMENTS) {
    await finishFeedDeletion(db, { workspaceId: caller.workspaceId, feedId });
    return null;
  }
  return getFeed(db, caller, { feedId });
}

/**
 * Under the feeds' locks: no write gets in from here on, and runs that were active are fenced off.
 *
 * @returns those runs, to be counted after the commit.
 */
export async function markDeleting(
  tx: Tx,
  { workspaceId }: Caller,
  which: { feedId: string } | { sourceId: string },
): Promise<{ status: "cancelled"; executor: Executor }[]> {
  const feeds = "feedId" in which ? { id: which.feedId } : which;
  await tx.feed.updateMany({
    where: { workspaceId, ...feeds, state: { not: "deleting" } },
    data: { state: "deleting", nextSyncAt: null, nextSyncReason: null, updatedAt: new Date() },
  });
  const cancelled = await tx.syncRun.updateManyAndReturn({
    where: { workspaceId, ...which, status: { in: ["queued", "running"] } },
    data: { status: "cancelled", finishedAt: new Date(), leaseExpiresAt: null },
    select: { executor: true },
  });
  return cancelled.map(({ executor }) => ({ status: "cancelled", executor }));
}
