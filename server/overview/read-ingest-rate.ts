import type { Db } from "@/server/db";
import type { IngestMinute, Overview } from "./overview-shape";

const MINUTES = 60;

/**
 * Documents by minute of the last hour, from the runs of that time: what a run changed is spread evenly
 * over the minutes it took, so a long one is no spike at its end. One query, by index.
 */
export async function readIngestRate(db: Db, workspaceId: number): Promise<Overview["ingest"]> {
  const rows = await db.$queryRaw<(Omit<IngestMinute, "at"> & { at: Date })[]>`
    WITH span AS (
      SELECT date_trunc('minute', now()) - make_interval(mins => ${MINUTES - 1}::int) AS first
    ), runs AS (
      SELECT r.started_at AS began, r.finished_at AS ended, r.created, r.updated, r.deleted
        FROM sync_runs r, span
       WHERE r.workspace_id = ${workspaceId}::int AND r.finished_at >= span.first
         AND r.created + r.updated + r.deleted > 0
      UNION ALL
      SELECT r.started_at, now(), r.created, r.updated, r.deleted
        FROM sync_runs r
       WHERE r.workspace_id = ${workspaceId}::int AND r.status = 'running'
         AND r.created + r.updated + r.deleted > 0
    ), spread AS (
      SELECT minute, r.created, r.updated, r.deleted,
             CASE WHEN r.ended <= r.began THEN 1.0
                  ELSE extract(epoch FROM least(r.ended, minute + interval '1 minute') - greatest(r.began, minute))
                       / extract(epoch FROM r.ended - r.began) END AS share
        FROM runs r, span,
             generate_series(greatest(date_trunc('minute', r.began), span.first),
                             date_trunc('minute', r.ended), interval '1 minute') AS minute
    )
    SELECT m.minute AS at, coalesce(sum(s.created * s.share), 0)::float8 AS created,
           coalesce(sum(s.updated * s.share), 0)::float8 AS updated,
           coalesce(sum(s.deleted * s.share), 0)::float8 AS deleted
      FROM span, generate_series(span.first, date_trunc('minute', now()), interval '1 minute') AS m(minute)
      LEFT JOIN spread s ON s.minute = m.minute
     GROUP BY m.minute
     ORDER BY m.minute`;
  const minutes = rows.map(({ at, created, updated, deleted }) => ({
    at: at.toISOString(),
    created: round(created),
    updated: round(updated),
    deleted: round(deleted),
  }));
  const total = minutes.reduce((sum, minute) => sum + minute.created + minute.updated + minute.deleted, 0);
  return { minutes, documentsLastHour: Math.round(total), documentsPerMinute: round(total / MINUTES) };
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
