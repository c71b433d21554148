import { audit } from "@/server/access/audit";
import type { Caller } from "@/server/actor";
import type { Db, FeedState, Prisma, Tx } from "@/server/db";
import { type LockedFeed, lockFeed } from "@/server/ingest/lock-feed";
import { publish } from "@/server/live/publish";
import { inTransaction } from "@/server/transaction";
import { requireFeed } from "./get-feed";
import { refuseDeleting } from "./refuse-deleting";

/** Whether an act changed anything, and the state that it left. */
export type StateChange = { changed: boolean; before: string };

type Step = {
  /** The states it may leave; in any other nothing happens. */
  from: FeedState[];
  data: Prisma.FeedUpdateManyMutationInput;
  action: string;
  detail?: Record<string, unknown>;
};

/**
 * Takes a feed from one state to another under its lock, audited.
 *
 * @param decide asked under the lock; throws where the act makes no sense.
 * @throws AppError feed_not_found, feed_deleting
 */
export async function setFeedState(
  db: Db,
  caller: Caller,
  feedId: string,
  decide: (tx: Tx, feed: LockedFeed) => Promise<Step> | Step,
): Promise<StateChange> {
  await requireFeed(db, caller, feedId);
  const done = await inTransaction(db, async (tx) => {
    const { workspaceId } = caller;
    const feed = await lockFeed(tx, workspaceId, feedId);
    refuseDeleting(feed);
    const { from, data, action, detail } = await decide(tx, feed);
    const { count } = await tx.feed.updateMany({
      where: { workspaceId, id: feedId, state: { in: from } },
      data: { ...data, updatedAt: new Date() },
    });
    if (count > 0) await audit(tx, caller, action, feedId, detail);
    return { changed: count > 0, before: feed.state };
  });
  if (done.changed) publish(db, caller, { feed: [feedId] });
  return done;
}
