import type { Db, Tx } from "@/server/db";
import type { FeedFacts } from "./feed-shape";

/** Beyond this a person only needs to know that there are many. */
const COUNTED_REJECTIONS = 1000;

const NONE: FeedFacts = { activeRunId: null, heldDeletes: 0, rejections: 0 };

/**
 * What other tables know about the feeds of one page: one query, however many feeds.
 *
 * @returns a look-up that answers for every feed id.
 */
export async function readFeedFacts(
  db: Db | Tx,
  workspaceId: number,
  feedIds: string[],
): Promise<(feedId: string) => FeedFacts> {
  if (feedIds.length === 0) return () => NONE;
  // Raw because each count must stop at its bound, which Prisma's _count cannot.
  const rows = await db.$queryRaw<(FeedFacts & { feedId: string })[]>`
    SELECT f.id AS "feedId",
           (SELECT r.id FROM sync_runs r
             WHERE r.workspace_id = ${workspaceId}::int AND r.feed_id = f.id
               AND r.status IN ('queued', 'running')) AS "activeRunId",
           (SELECT count(*)::int FROM held_deletes h
             WHERE h.workspace_id = ${workspaceId}::int AND h.feed_id = f.id AND h.status = 'held') AS "heldDeletes",
           (SELECT count(*)::int FROM (
              SELECT 1 FROM rejected_documents d
               WHERE d.workspace_id = ${workspaceId}::int AND d.feed_id = f.id
               LIMIT ${COUNTED_REJECTIONS}::int) bounded) AS rejections
      FROM unnest(${feedIds}::text[]) AS f(id)`;
  const facts = new Map(rows.map(({ feedId, ...rest }) => [feedId, rest]));
  return (feedId) => facts.get(feedId) ?? NONE;
}
