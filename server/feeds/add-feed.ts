import type { Caller } from "@/server/actor";
import type { Db } from "@/server/db";
import { publish } from "@/server/live/publish";
import { lockSource } from "@/server/sources/lock-source";
import { inTransaction } from "@/server/transaction";
import { ensureFeeds } from "./ensure-feeds";
import type { ApiFeed } from "./feed-shape";
import { getFeed } from "./get-feed";
import type { EnsureFeedInput } from "./schema";

/**
 * Ensures one feed of a source by its externalKey.
 *
 * @throws AppError not_found for an unknown source, conflict while it is being deleted,
 *   invalid_request with paths for what its adapter does not take.
 */
export async function addFeed(
  db: Db,
  caller: Caller,
  { sourceId, ...input }: EnsureFeedInput & { sourceId: string },
): Promise<{ feed: ApiFeed; created: boolean }> {
  const ensured = await inTransaction(db, async (tx) => {
    const source = await lockSource(tx, caller, sourceId, "share");
    const [feed] = await ensureFeeds(tx, caller, source, [input]);
    return feed;
  });
  if (!ensured) throw new Error("ensureFeeds answered without the feed it was asked for");
  if (ensured.created) publish(db, caller, { feed: [ensured.id], source: [sourceId] });
  return { feed: await getFeed(db, caller, { feedId: ensured.id }), created: ensured.created };
}
