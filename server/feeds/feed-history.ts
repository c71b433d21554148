import type { Caller } from "@/server/actor";
import type { Db } from "@/server/db";
import type { FeedHistoryInput } from "./schema";

export type FeedDay = {
  /** `2026-06-14`, UTC. */
  day: string;
  succeeded: number;
  partial: number;
  /** Failed or abandoned. */
  failed: number;
  cancelled: number;
  /** Documents created, updated and deleted; runs that were folded changed none. */
  changes: number;
};

export type FeedHistory = {
  feedId: string;
  /** The oldest first, today last; days without runs are there too. */
  days: FeedDay[];
};

const DAYS = 30;

/**
 * What became of these feeds' runs, day by day: the health strip. One query for all of them.
 *
 * @returns one entry per feed that the workspace has, in the order of `feedIds`.
 */
export async function readFeedHistory(
  db: Db,
  { workspaceId }: Caller,
  { feedIds, days = DAYS }: FeedHistoryInput,
): Promise<FeedHistory[]> {
  // Raw because each feed's days come by its own index range. Days without runs are added below.
  const rows = await db.$queryRaw<(Omit<FeedDay, "day"> & { feedId: string; day: string | null })[]>`
    WITH asked AS (
      SELECT f.id FROM feeds f WHERE f.workspace_id = ${workspaceId}::int AND f.id = ANY(${feedIds}::text[])
    ), span AS (
      SELECT ((now() AT TIME ZONE 'UTC')::date - ${days - 1}::int) AS first
    )
    SELECT asked.id AS "feedId", to_char(told.day, 'YYYY-MM-DD') AS day,
           coalesce(sum(told.runs) FILTER (WHERE told.status = 'succeeded'), 0)::int AS succeeded,
           coalesce(sum(told.runs) FILTER (WHERE told.status = 'partial'), 0)::int AS partial,
           coalesce(sum(told.runs) FILTER (WHERE told.status IN ('failed', 'abandoned')), 0)::int AS failed,
           coalesce(sum(told.runs) FILTER (WHERE told.status = 'cancelled'), 0)::int AS cancelled,
           coalesce(sum(told.changes), 0)::int AS changes
      FROM asked CROSS JOIN span LEFT JOIN LATERAL (
        SELECT (r.finished_at AT TIME ZONE 'UTC')::date AS day, r.status, count(*) AS runs,
               sum(r.created + r.updated + r.deleted) AS changes
          FROM sync_runs r
         WHERE r.workspace_id = ${workspaceId}::int AND r.feed_id = asked.id
           AND r.finished_at >= span.first::timestamp AT TIME ZONE 'UTC'
         GROUP BY 1, 2
        UNION ALL
        SELECT d.day, d.status, d.runs, 0
          FROM run_days d
         WHERE d.workspace_id = ${workspaceId}::int AND d.feed_id = asked.id AND d.day >= span.first) told ON true
     GROUP BY asked.id, told.day`;
  const today = Date.now();
  const names = Array.from({ length: days }, (_, i) =>
    new Date(today - (days - 1 - i) * 86_400_000).toISOString().slice(0, 10),
  );
  const known = new Set(rows.map((row) => row.feedId));
  const byPlace = new Map(rows.map(({ feedId, ...day }) => [`${feedId} ${day.day}`, day]));
  return feedIds
    .filter((feedId) => known.has(feedId))
    .map((feedId) => ({
      feedId,
      days: names.map((day) => ({ ...(byPlace.get(`${feedId} ${day}`) ?? EMPTY), day })),
    }));
}

const EMPTY = { succeeded: 0, partial: 0, failed: 0, cancelled: 0, changes: 0 };
