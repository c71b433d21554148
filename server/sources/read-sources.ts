import { type Db, Prisma, type Tx } from "@/server/db";
import { containing } from "@/server/tables/like";
import type { ApiSource, SourceProblem, SourceRow } from "./source-shape";
import { toSource } from "./source-shape";

export type SourceFilter = {
  id?: string;
  after?: string | null;
  status?: string;
  type?: string;
  q?: string;
};

/**
 * Sources with the sums over their feeds, by id. One query; `status` is derived here and nowhere
 * else, because the filter needs it too.
 *
 * A source is deleting or paused by its own state; otherwise the worst of its feeds speaks: one that
 * needs reconnecting, then one that fails (also when its failures paused it).
 */
export async function readSources(
  db: Db | Tx,
  workspaceId: number,
  filter: SourceFilter,
  take: number,
): Promise<SourceRow[]> {
  const conditions = sourceConditions(workspaceId, filter);
  if (filter.id !== undefined) conditions.push(Prisma.sql`s.id = ${filter.id}`);
  if (filter.after) conditions.push(Prisma.sql`s.id > ${filter.after}`);
  // Raw because the sums come by LATERAL join and the derived status is filtered on.
  return db.$queryRaw<SourceRow[]>`
    SELECT ${SOURCE_COLUMNS}
      FROM ${SOURCES_WITH_SUMS}
     WHERE ${Prisma.join(conditions, " AND ")}
     ORDER BY s.id
     LIMIT ${take}::int`;
}

/** The filters that lists and tables share, over `SOURCES_WITH_SUMS`. */
export function sourceConditions(workspaceId: number, filter: SourceFilter): Prisma.Sql[] {
  const conditions = [Prisma.sql`s.workspace_id = ${workspaceId}::int`];
  if (filter.type !== undefined) conditions.push(Prisma.sql`s.type = ${filter.type}`);
  if (filter.q !== undefined) conditions.push(Prisma.sql`s.name ILIKE ${containing(filter.q)}`);
  if (filter.status !== undefined) conditions.push(Prisma.sql`derived.status = ${filter.status}`);
  return conditions;
}

export const SOURCE_COLUMNS = Prisma.sql`
  s.id, s.type, s.name, s.key, s.config, s.runs_on::text AS "runsOn", s.credential_id AS "credentialId",
  s.created_at AS "createdAt", s.updated_at AS "updatedAt", derived.status,
  sums.feeds AS "feedCount", sums.documents AS "documentCount", sums.last_success_at AS "lastSuccessAt",
  s.adds_new_feeds AS "addsNewFeeds", s.look_address AS "lookAddress", s.last_look_at AS "lastLookAt",
  s.next_look_at AS "nextLookAt", s.look_error AS "lookError", s.look_result AS "lookResult",
  coalesce(s.look_lease_until > clock_timestamp(), false) AS "isLooking"`;

export const SOURCES_WITH_SUMS = Prisma.sql`
  sources s
  CROSS JOIN LATERAL (
    SELECT count(*) FILTER (WHERE f.state <> 'deleting')::int AS feeds,
           coalesce(sum(f.document_count), 0)::float8 AS documents,
           max(f.last_success_at) AS last_success_at,
           coalesce(bool_or(f.state = 'needs_reconnect'), false) AS disconnected,
           coalesce(bool_or(f.failing_since IS NOT NULL AND (
             (f.state = 'active' AND (f.rate_limited_until IS NULL OR f.rate_limited_until <= now()))
             OR (f.state = 'paused' AND f.paused_by = 'failures'))), false) AS failing
      FROM feeds f
     WHERE f.workspace_id = s.workspace_id AND f.source_id = s.id) sums
  CROSS JOIN LATERAL (
    SELECT CASE WHEN s.state <> 'active' THEN s.state::text
                WHEN sums.disconnected THEN 'needs_reconnect'
                WHEN sums.failing THEN 'failing'
                ELSE 'active' END AS status) derived`;

const MAX_PROBLEMS = 5;

/** Completes rows with up to five problems each: one query for all of them. */
export async function withProblems(
  db: Db | Tx,
  workspaceId: number,
  rows: SourceRow[],
): Promise<ApiSource[]> {
  const ids = rows.map((row) => row.id);
  if (ids.length === 0) return [];
  const found = await db.$queryRaw<(SourceProblem & { sourceId: string })[]>`
    SELECT s.id AS "sourceId", p.*
      FROM unnest(${ids}::text[]) AS s(id)
     CROSS JOIN LATERAL (
       SELECT f.id AS "feedId", coalesce(f.name, f.upstream_title, f.external_key) AS name,
              CASE WHEN f.state <> 'active' THEN f.state::text
                   WHEN f.rate_limited_until > now() THEN 'rate_limited'
                   ELSE 'failing' END AS status,
              coalesce(f.error->>'message', 'It does not sync.') AS message
         FROM feeds f
        WHERE f.workspace_id = ${workspaceId}::int AND f.source_id = s.id
          AND (f.state IN ('needs_reconnect', 'disabled')
               OR (f.state = 'paused' AND f.paused_by = 'failures')
               OR (f.state = 'active' AND (f.failing_since IS NOT NULL OR f.rate_limited_until > now())))
        ORDER BY f.failing_since NULLS LAST, f.id
        LIMIT ${MAX_PROBLEMS}::int) p`;
  return rows.map((row) => {
    const problems = found.filter((problem) => problem.sourceId === row.id);
    return toSource(
      row,
      problems.map(({ sourceId: _, ...problem }) => problem),
    );
  });
}
