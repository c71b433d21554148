import type { Caller } from "@/server/actor";
import type { Db } from "@/server/db";
import type { ApiFeed } from "./feed-shape";
import { getFeed } from "./get-feed";
import { type StateChange, setFeedState } from "./set-feed-state";

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

/** The act itself. */
export function resumeFeedRow(db: Db, caller: Caller, { feedId }: { feedId: string }): Promise<StateChange> {
  return setFeedState(db, caller, feedId, async (tx, { sourceId, state }) => {
    const source = await tx.source.findUniqueOrThrow({
      where: { workspaceId_id: { workspaceId: caller.workspaceId, id: sourceId } },
      select: { runsOn: true },
    });
    const isPolled = source.runsOn === "cloud";
    return {
      from: ["paused", "needs_reconnect", "disabled"],
      data: {
        state: "active",
        pausedBy: null,
        consecutiveFailures: 0,
        failingSince: null,
        nextSyncAt: isPolled ? new Date() : null,
        nextSyncReason: isPolled ? "Resumed" : null,
      },
      action: "feed.resume",
      detail: { from: state },
    };
  });
}
