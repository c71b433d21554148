import { audit } from "@/server/access/audit";
import type { Caller } from "@/server/actor";
import type { Db } from "@/server/db";
import { lockFeed } from "@/server/ingest/lock-feed";
import { publish } from "@/server/live/publish";
import { inTransaction } from "@/server/transaction";
import type { ApiFeed } from "./feed-shape";
import { getFeed, requireFeed } from "./get-feed";
import { refuseDeleting } from "./refuse-deleting";

/**
 * Lets a paused, disabled or disconnected feed sync again, at once where this server does it.
 * The count of failures starts anew: who resumes a feed has looked at it. On an active feed
 * nothing happens.
 *
 * @throws AppError feed_not_found, feed_deleting
 */
export async function resumeFeed(db: Db, caller: Caller, { feedId }: { feedId: string }): Promise<ApiFeed> {
  await resumeFeedRow(db, caller, { feedId });
  return getFeed(db, caller, { feedId });
}

/** The act itself. @returns whether it changed anything, and the state that was left. */
export async function resumeFeedRow(
  db: Db,
  caller: Caller,
  { feedId }: { feedId: string },
): Promise<{ changed: boolean; before: string }> {
  await requireFeed(db, caller, feedId);
  const done = await inTransaction(db, async (tx) => {
    const { workspaceId } = caller;
    const locked = await lockFeed(tx, workspaceId, feedId);
    refuseDeleting(locked);
    const source = await tx.source.findUniqueOrThrow({
      where: { workspaceId_id: { workspaceId, id: locked.sourceId } },
      select: { runsOn: true },
    });
    const isPolled = source.runsOn === "cloud";
    const { count } = await tx.feed.updateMany({
      where: { workspaceId, id: feedId, state: { in: ["paused", "needs_reconnect", "disabled"] } },
      data: {
        state: "active",
        pausedBy: null,
        consecutiveFailures: 0,
        failingSince: null,
        nextSyncAt: isPolled ? new Date() : null,
        nextSyncReason: isPolled ? "Resumed" : null,
        updatedAt: new Date(),
      },
    });
    if (count > 0) await audit(tx, caller, "feed.resume", feedId, { from: locked.state });
    return { changed: count > 0, before: locked.state };
  });
  if (done.changed) publish(db, caller, { feed: [feedId] });
  return done;
}
