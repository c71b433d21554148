import type { Db } from "@/server/db";
import { FEED_CAUSES, FEED_NAME, FEEDS } from "@/server/feeds/feed-conditions";
import { explainCause } from "./explain-cause";
import type { Attention, AttentionFeed } from "./overview-shape";

const SHOWN = 5;
const NAMED = 100;

type CauseRow = { cause: string; count: number; feedIds: string[]; feeds: AttentionFeed[] };

/** What needs someone, by cause, the worst first. One query over the workspace's feeds. */
export async function readAttention(db: Db, workspaceId: number): Promise<Attention[]> {
  const rows = await db.$queryRaw<CauseRow[]>`
    WITH troubled AS (
      SELECT cause, f.id, f.failing_since, s.id AS source_id, s.name AS source_name,
             left(${FEED_NAME}, 300) AS name, f.error->>'message' AS message,
             CASE WHEN cause = 'rate_limited' THEN f.rate_limited_until ELSE f.failing_since END AS since,
             row_number() OVER (PARTITION BY cause ORDER BY f.failing_since NULLS LAST, f.id) AS place
        FROM ${FEEDS} CROSS JOIN LATERAL unnest(${FEED_CAUSES}) AS cause
       WHERE f.workspace_id = ${workspaceId}::int
    )
    SELECT cause, count(*)::int AS count,
           array_agg(id ORDER BY place) FILTER (WHERE place <= ${NAMED}::int) AS "feedIds",
           jsonb_agg(jsonb_build_object('feedId', id, 'name', name, 'sourceId', source_id,
             'sourceName', source_name, 'message', message,
             'since', to_char(since AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) ORDER BY place)
             FILTER (WHERE place <= ${SHOWN}::int) AS feeds
      FROM troubled
     GROUP BY cause`;
  return rows
    .map((row) => ({ ...row, ...explainCause(row.cause, row.count) }))
    .sort((a, b) => RANK[a.severity] - RANK[b.severity] || b.count - a.count || (a.cause < b.cause ? -1 : 1));
}

const RANK = { error: 0, warning: 1, notice: 2 } as const;
