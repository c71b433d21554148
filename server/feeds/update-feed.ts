import { audit } from "@/server/access/audit";
import type { Caller } from "@/server/actor";
import type { Db, Prisma } from "@/server/db";
import { lockFeed } from "@/server/ingest/lock-feed";
import { publish } from "@/server/live/publish";
import { inTransaction } from "@/server/transaction";
import type { ApiFeed } from "./feed-shape";
import { getFeed, requireFeed } from "./get-feed";
import { refuseDeleting } from "./refuse-deleting";
import type { UpdateFeedInput } from "./schema";

/**
 * Changes a feed's name, config or interval. Absent = unchanged; `name: null` goes back to the
 * upstream's title, `intervalSeconds: null` to the adaptive interval.
 *
 * @throws AppError feed_not_found, feed_deleting
 */
export async function updateFeed(
  db: Db,
  caller: Caller,
  { feedId, ...changes }: UpdateFeedInput & { feedId: string },
): Promise<ApiFeed> {
  await requireFeed(db, caller, feedId);
  await inTransaction(db, async (tx) => {
    const { workspaceId } = caller;
    refuseDeleting(await lockFeed(tx, workspaceId, feedId));
    const { name, config, intervalSeconds } = changes;
    await tx.feed.update({
      where: { workspaceId_id: { workspaceId, id: feedId } },
      data: {
        ...(name !== undefined && { name }),
        ...(config !== undefined && { config: config as Prisma.InputJsonObject }),
        ...(intervalSeconds !== undefined && { intervalSeconds }),
        updatedAt: new Date(),
      },
      select: { id: true },
    });
    if (intervalSeconds) await pullForward(tx, workspaceId, feedId, intervalSeconds);
    await audit(tx, caller, "feed.update", feedId, changes);
  });
  publish(db, caller, { feed: [feedId] });
  return getFeed(db, caller, { feedId });
}

/** A shorter interval counts from now on, not only after the next sync; a back-off stays. */
async function pullForward(tx: Prisma.TransactionClient, workspaceId: number, id: string, seconds: number) {
  const due = new Date(Date.now() + seconds * 1000);
  await tx.feed.updateMany({
    where: { workspaceId, id, nextSyncAt: { gt: due }, failingSince: null, rateLimitedUntil: null },
    data: { nextSyncAt: due, nextSyncReason: `Every ${seconds} seconds` },
  });
}
