import type { Caller } from "@/server/actor";
import type { Db, Tx } from "@/server/db";
import { AppError } from "@/server/errors";
import { isId } from "@/server/ids";
import { readFeedFacts } from "./feed-facts";
import { type ApiFeed, feedSelect, toFeed } from "./feed-shape";

/**
 * One feed, as the wire shows it.
 *
 * @throws AppError feed_not_found also for another workspace's feed.
 */
export async function getFeed(
  db: Db | Tx,
  { workspaceId }: Caller,
  { feedId }: { feedId: string },
): Promise<ApiFeed> {
  const row = isId("feed", feedId)
    ? await db.feed.findUnique({ where: { workspaceId_id: { workspaceId, id: feedId } }, select: feedSelect })
    : null;
  if (!row) throw feedNotFound();
  const factsOf = await readFeedFacts(db, workspaceId, [feedId]);
  return toFeed(row, factsOf(feedId), new Date());
}

/** @throws AppError feed_not_found unless the feed exists in the caller's workspace. */
export async function requireFeed(db: Db | Tx, { workspaceId }: Caller, feedId: string): Promise<void> {
  const row = isId("feed", feedId)
    ? await db.feed.findUnique({
        where: { workspaceId_id: { workspaceId, id: feedId } },
        select: { id: true },
      })
    : null;
  if (!row) throw feedNotFound();
}

export function feedNotFound(): AppError {
  return new AppError("feed_not_found", "There is no such feed in this workspace.");
}
