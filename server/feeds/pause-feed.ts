import { audit } from "@/server/access/audit";
import type { Caller } from "@/server/actor";
import type { Db } from "@/server/db";
import { AppError } from "@/server/errors";
import { lockFeed } from "@/server/ingest/lock-feed";
import { publish } from "@/server/live/publish";
import { inTransaction } from "@/server/transaction";
import type { ApiFeed } from "./feed-shape";
import { getFeed, requireFeed } from "./get-feed";
import { refuseDeleting } from "./refuse-deleting";

/**
 * Stops a feed from being synced by itself. A run in progress ends normally, pushes are still
 * taken, and pausing twice is pausing once.
 *
 * @throws AppError feed_not_found, feed_deleting, feed_disabled (it does not sync anyway)
 */
export async function pauseFeed(db: Db, caller: Caller, { feedId }: { feedId: string }): Promise<ApiFeed> {
  await pauseFeedRow(db, caller, { feedId });
  return getFeed(db, caller, { feedId });
}

/** The act itself. @returns whether it changed anything, and the state that was left. */
export async function pauseFeedRow(
  db: Db,
  caller: Caller,
  { feedId }: { feedId: string },
): Promise<{ changed: boolean; before: string }> {
  await requireFeed(db, caller, feedId);
  const done = await inTransaction(db, async (tx) => {
    const { workspaceId } = caller;
    const feed = await lockFeed(tx, workspaceId, feedId);
    refuseDeleting(feed);
    if (feed.state === "disabled")
      throw new AppError("feed_disabled", "This feed is disabled; it is not synced.");
    const { count } = await tx.feed.updateMany({
      where: { workspaceId, id: feedId, state: { in: ["active", "needs_reconnect"] } },
      data: {
        state: "paused",
        pausedBy: "person",
        nextSyncAt: null,
        nextSyncReason: null,
        updatedAt: new Date(),
      },
    });
    if (count > 0) await audit(tx, caller, "feed.pause", feedId);
    return { changed: count > 0, before: feed.state };
  });
  if (done.changed) publish(db, caller, { feed: [feedId] });
  return done;
}
