import { Prisma } from "@/server/db";
import { containing } from "@/server/tables/like";
import type { FeedFilters } from "./schema";

/** Feeds with their sources, under the names that the pieces below use. */
export const FEEDS = Prisma.sql`
  feeds f JOIN sources s ON s.workspace_id = f.workspace_id AND s.id = f.source_id`;

export const FEED_NAME = Prisma.sql`coalesce(f.name, f.upstream_title, f.external_key)`;

/** `feedStatus` of feed-shape.ts, in SQL. */
export const FEED_STATUS = Prisma.sql`
  CASE WHEN f.state = 'deleting' OR s.state = 'deleting' THEN 'deleting'
       WHEN f.state <> 'active' THEN f.state::text
       WHEN s.state = 'paused' THEN 'paused'
       WHEN f.rate_limited_until > now() THEN 'rate_limited'
       WHEN f.failing_since IS NOT NULL THEN 'failing'
       ELSE 'active' END`;

/** Successful runs in a row that brought documents without moving the cursor; feed-after-run.ts warns then. */
const STUCK_RUNS = 2;

/**
 * Why a feed needs someone's attention: an array of causes, as the `cause` filter spells them. The one
 * place that says so; the overview groups by it and the feeds table filters by it.
 */
export const FEED_CAUSES = Prisma.sql`
  CASE WHEN f.state = 'deleting' OR s.state = 'deleting' THEN ARRAY[]::text[] ELSE array_remove(ARRAY[
    CASE WHEN f.state IN ('needs_reconnect', 'disabled') THEN f.state::text
         WHEN f.state = 'paused' AND f.paused_by = 'failures' THEN 'paused_by_failures'
         WHEN f.state <> 'active' OR s.state <> 'active' THEN NULL
         WHEN f.rate_limited_until > now() THEN 'rate_limited'
         WHEN f.failing_since IS NOT NULL THEN 'failing:' || coalesce(f.error->>'code', 'unknown') END,
    CASE WHEN f.stuck_runs >= ${STUCK_RUNS}::int AND f.state = 'active' THEN 'cursor_stuck' END,
    CASE WHEN EXISTS (SELECT 1 FROM held_deletes h
                       WHERE h.workspace_id = f.workspace_id AND h.feed_id = f.id AND h.status = 'held')
         THEN 'held_deletes' END,
    CASE WHEN EXISTS (SELECT 1 FROM rejected_documents r
                       WHERE r.workspace_id = f.workspace_id AND r.feed_id = f.id)
         THEN 'rejections' END], NULL) END`;

/** The filters of the feeds table, of its export and of acts on all that match. */
export function feedConditions(workspaceId: number, filter: FeedFilters): Prisma.Sql[] {
  const conditions = [Prisma.sql`f.workspace_id = ${workspaceId}::int`];
  if (filter.sourceId !== undefined) conditions.push(Prisma.sql`f.source_id = ${filter.sourceId}`);
  if (filter.type !== undefined) conditions.push(Prisma.sql`s.type = ${filter.type}`);
  if (filter.status !== undefined) conditions.push(Prisma.sql`${FEED_STATUS} = ${filter.status}`);
  if (filter.cause !== undefined) conditions.push(Prisma.sql`${filter.cause} = ANY(${FEED_CAUSES})`);
  if (filter.group !== undefined) conditions.push(Prisma.sql`f.config->>'group' = ${filter.group}`);
  if (filter.q !== undefined) {
    const pattern = containing(filter.q);
    conditions.push(Prisma.sql`
      (f.name ILIKE ${pattern} OR f.upstream_title ILIKE ${pattern} OR f.external_key ILIKE ${pattern}
       OR s.name ILIKE ${pattern})`);
  }
  return conditions;
}
