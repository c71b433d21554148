import type { Caller } from "@/server/actor";
import { type Db, Prisma } from "@/server/db";
import { lockFeed, requireWritable } from "@/server/ingest/lock-feed";
import { publish } from "@/server/live/publish";
import { requestSync } from "@/server/runs/request-sync";
import { type BulkResult, forEach } from "@/server/tables/bulk";
import { inTransaction } from "@/server/transaction";
import { deleteFeed } from "./delete-feed";
import { FEED_NAME, FEEDS, feedConditions } from "./feed-conditions";
import { pauseFeedRow } from "./pause-feed";
import { resumeFeedRow } from "./resume-feed";
import type { BulkFeedsInput, FeedFilters } from "./schema";

/** Runs that may wait for a worker at once; beyond, feeds become due and are claimed by schedule. */
const MAX_QUEUED = 50;
/** More feeds than this are no selection any more. */
const MAX_IDS = 5_000;

/**
 * Pauses, resumes, syncs or deletes up to 100 feeds, each like the single act. Who acts on more sends
 * one call after the other and shows how far it is; `changed` and `before` say what undoing concerns.
 */
export async function bulkFeeds(
  db: Db,
  caller: Caller,
  { feedIds, action }: BulkFeedsInput,
): Promise<BulkResult> {
  switch (action) {
    case "pause":
      return forEach(feedIds, (feedId) => pauseFeedRow(db, caller, { feedId }));
    case "resume":
      return forEach(feedIds, (feedId) => resumeFeedRow(db, caller, { feedId }));
    case "delete":
      return forEach(feedIds, async (feedId) => {
        await deleteFeed(db, caller, { feedId });
        return { changed: true };
      });
    case "sync":
      return syncFeeds(db, caller, feedIds);
  }
}

async function syncFeeds(db: Db, caller: Caller, feedIds: string[]): Promise<BulkResult> {
  const { workspaceId } = caller;
  let room = MAX_QUEUED - (await db.syncRun.count({ where: { workspaceId, status: "queued" } }));
  const trigger = caller.actor.type === "user" ? "manual" : "api";
  return forEach(feedIds, async (feedId) => {
    if (room <= 0) return { changed: await makeDue(db, caller, feedId) };
    const { runId, joined } = await requestSync(db, caller, { feedId, trigger });
    if (!joined) room -= 1;
    return { changed: !joined, runId };
  });
}

/** Two thousand queued runs would hide the one somebody waits for; due feeds are claimed a few at a time. */
async function makeDue(db: Db, { workspaceId }: Caller, feedId: string): Promise<boolean> {
  const isDue = await inTransaction(db, async (tx) => {
    requireWritable(await lockFeed(tx, workspaceId, feedId));
    const { count } = await tx.feed.updateMany({
      where: { workspaceId, id: feedId, state: "active", nextSyncAt: { gt: new Date() } },
      data: { nextSyncAt: new Date(), nextSyncReason: "Sync now" },
    });
    return count > 0;
  });
  if (isDue) publish(db, { workspaceId }, { feed: [feedId] });
  return isDue;
}

export type MatchingFeeds = {
  feeds: { id: string; name: string; documentCount: number }[];
  /** True when there are more than 5,000; then only the first are named. */
  truncated: boolean;
};

/** All feeds that the table's filters match, for acts on all of them. One query. */
export async function listMatchingFeeds(
  db: Db,
  { workspaceId }: Caller,
  filters: FeedFilters,
): Promise<MatchingFeeds> {
  const feeds = await db.$queryRaw<MatchingFeeds["feeds"]>`
    SELECT f.id, left(${FEED_NAME}, 300) AS name, f.document_count AS "documentCount"
      FROM ${FEEDS}
     WHERE ${Prisma.join(feedConditions(workspaceId, filters), " AND ")} AND f.state <> 'deleting'
     ORDER BY f.created_at, f.id
     LIMIT ${MAX_IDS + 1}::int`;
  return { feeds: feeds.slice(0, MAX_IDS), truncated: feeds.length > MAX_IDS };
}
