import type { Caller } from "@/server/actor";
import type { Db } from "@/server/db";
import type { ChartDay, OverviewCharts } from "./overview-shape";

export const CHART_DAYS = 30;

type Row = {
  day: string;
  created: number;
  updated: number;
  deleted: number;
  succeeded: number;
  partial: number;
  failed: number;
  cancelled: number;
  p50Ms: number | null;
  p95Ms: number | null;
};

/**
 * Thirty days of documents by kind of change, of run outcomes and of how long runs took. One query over
 * the index `sync_runs_finished` and the folded days; no document is read.
 *
 * Runs of people's own code count as outcomes, not as durations: a push takes milliseconds and would
 * hide how long reading takes.
 */
export async function getCharts(
  db: Db,
  { workspaceId }: Caller,
  { days = CHART_DAYS }: { days?: number } = {},
): Promise<OverviewCharts> {
  const rows = await db.$queryRaw<Row[]>`
    WITH days AS (
      SELECT ((now() AT TIME ZONE 'UTC')::date - n) AS day FROM generate_series(0, ${days - 1}::int) AS n
    ), span AS (
      SELECT min(day)::timestamp AT TIME ZONE 'UTC' AS first FROM days
    ), told AS (
      SELECT (r.finished_at AT TIME ZONE 'UTC')::date AS day,
             sum(r.created)::float8 AS created, sum(r.updated)::float8 AS updated, sum(r.deleted)::float8 AS deleted,
             count(*) FILTER (WHERE r.status = 'succeeded')::float8 AS succeeded,
             count(*) FILTER (WHERE r.status = 'partial')::float8 AS partial,
             count(*) FILTER (WHERE r.status IN ('failed', 'abandoned'))::float8 AS failed,
             count(*) FILTER (WHERE r.status = 'cancelled')::float8 AS cancelled,
             percentile_cont(ARRAY[0.5, 0.95]) WITHIN GROUP (ORDER BY extract(epoch FROM r.finished_at - r.started_at)::float8)
               FILTER (WHERE r.executor <> 'api' AND r.status <> 'cancelled') AS seconds
        FROM sync_runs r
       WHERE r.workspace_id = ${workspaceId}::int AND r.finished_at >= (SELECT first FROM span)
       GROUP BY 1
    ), folded AS (
      SELECT d.day,
             sum(d.runs) FILTER (WHERE d.status = 'succeeded')::float8 AS succeeded,
             sum(d.runs) FILTER (WHERE d.status = 'partial')::float8 AS partial,
             sum(d.runs) FILTER (WHERE d.status = 'cancelled')::float8 AS cancelled
        FROM run_days d
       WHERE d.workspace_id = ${workspaceId}::int AND d.day >= (SELECT min(day) FROM days)
       GROUP BY 1
    )
    SELECT to_char(days.day, 'YYYY-MM-DD') AS day,
           coalesce(told.created, 0) AS created, coalesce(told.updated, 0) AS updated,
           coalesce(told.deleted, 0) AS deleted,
           coalesce(told.succeeded, 0) + coalesce(folded.succeeded, 0) AS succeeded,
           coalesce(told.partial, 0) + coalesce(folded.partial, 0) AS partial,
           coalesce(told.failed, 0) AS failed,
           coalesce(told.cancelled, 0) + coalesce(folded.cancelled, 0) AS cancelled,
           round(told.seconds[1] * 1000) AS "p50Ms", round(told.seconds[2] * 1000) AS "p95Ms"
      FROM days LEFT JOIN told USING (day) LEFT JOIN folded USING (day)
     ORDER BY days.day`;
  return { days: rows.map(toDay) };
}

function toDay({ day, created, updated, deleted, p50Ms, p95Ms, ...runs }: Row): ChartDay {
  return {
    day,
    documents: { created, updated, deleted },
    runs,
    durations: p50Ms === null || p95Ms === null ? null : { p50Ms, p95Ms },
  };
}
