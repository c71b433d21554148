import type { Caller } from "@/server/actor";
import type { Db } from "@/server/db";
import { AppError } from "@/server/errors";
import { tellOfPause } from "@/server/webhooks/tell-of-pause";
import type { ApiFeed } from "./feed-shape";
import { getFeed } from "./get-feed";
import { type StateChange, setFeedState } from "./set-feed-state";

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

/** The act itself. */
export function pauseFeedRow(db: Db, caller: Caller, { feedId }: { feedId: string }): Promise<StateChange> {
  return setFeedState(db, caller, feedId, async (tx, { state }) => {
    if (state === "disabled") {
      throw new AppError("feed_disabled", "This feed is disabled; it is not synced.");
    }
    if (state === "active" || state === "needs_reconnect") await tellOfPause(tx, caller, feedId);
    return {
      from: ["active", "needs_reconnect"],
      data: { state: "paused", pausedBy: "person", nextSyncAt: null, nextSyncReason: null },
      action: "feed.pause",
    };
  });
}
