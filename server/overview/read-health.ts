import type { Db } from "@/server/db";
import { FEED_STATUS, FEEDS } from "@/server/feeds/feed-conditions";
import type { Attention, Health } from "./overview-shape";

const NONE: Health["byStatus"] = {
  active: 0,
  paused: 0,
  failing: 0,
  rate_limited: 0,
  needs_reconnect: 0,
  disabled: 0,
  deleting: 0,
};

export type HealthFacts = Omit<Health, "level" | "sentence">;

/** The workspace in numbers, from counters that writing keeps: one query over its feeds. */
export async function readHealthFacts(db: Db, workspaceId: number): Promise<HealthFacts> {
  const [row] = await db.$queryRaw<(Omit<HealthFacts, "lastSuccessAt"> & { lastSuccessAt: Date | null })[]>`
    WITH f AS (
      SELECT ${FEED_STATUS} AS status, count(*)::int AS feeds, sum(f.document_count)::float8 AS documents,
             max(f.last_success_at) AS last_success_at,
             count(*) FILTER (WHERE f.state = 'active' AND s.state = 'active' AND f.next_sync_at <= now())::int AS due
        FROM ${FEEDS}
       WHERE f.workspace_id = ${workspaceId}::int
       GROUP BY 1
    )
    SELECT (SELECT count(*)::int FROM sources WHERE workspace_id = ${workspaceId}::int AND state <> 'deleting') AS sources,
           coalesce((SELECT jsonb_object_agg(status, feeds) FROM f), '{}') AS "byStatus",
           coalesce((SELECT sum(feeds)::int FROM f WHERE status <> 'deleting'), 0) AS feeds,
           coalesce((SELECT sum(documents)::float8 FROM f), 0) AS documents,
           coalesce((SELECT sum(due)::int FROM f), 0) AS due,
           (SELECT max(last_success_at) FROM f) AS "lastSuccessAt",
           (SELECT count(*)::int FROM sync_runs
             WHERE workspace_id = ${workspaceId}::int AND status IN ('queued', 'running')) AS "activeRuns"`;
  if (!row) throw new Error("a query without FROM answered no row");
  return {
    ...row,
    byStatus: { ...NONE, ...row.byStatus },
    lastSuccessAt: row.lastSuccessAt?.toISOString() ?? null,
  };
}

/** One sentence: is everything well, and if not, how much is not. */
export function judgeHealth(facts: HealthFacts, attention: readonly Attention[]): Health {
  const { feeds, byStatus } = facts;
  const broken =
    byStatus.failing + byStatus.needs_reconnect + byStatus.disabled + pausedByFailures(attention);
  const waiting = attention.filter((item) => item.severity === "warning" && item.cause !== "disabled").length;
  if (feeds === 0) {
    const sentence = "Nothing is connected yet. Connect a source and its documents come in by themselves.";
    return { ...facts, level: "empty", sentence };
  }
  if (broken > 0) {
    const sentence = `${broken.toLocaleString("en")} of ${count(feeds, "feed")} ${broken === 1 ? "needs" : "need"} attention; the others are in sync.`;
    const level = broken * 10 >= feeds ? "bad" : "warning";
    return {
      ...facts,
      level,
      sentence: broken >= feeds ? `None of ${count(feeds, "feed")} is in sync.` : sentence,
    };
  }
  if (waiting > 0) {
    const sentence = `${all(feeds)} in sync; something waits for your decision.`;
    return { ...facts, level: "warning", sentence };
  }
  const limited = byStatus.rate_limited;
  const paused = byStatus.paused;
  const notes = [
    limited > 0 && `${limited.toLocaleString("en")} wait as their sites asked`,
    paused > 0 && `${paused.toLocaleString("en")} paused`,
  ].filter(Boolean);
  const sentence =
    notes.length > 0 ? `All is well: ${notes.join(", ")}, the others are in sync.` : `${all(feeds)} in sync.`;
  return { ...facts, level: "good", sentence };
}

function all(feeds: number): string {
  return feeds === 1 ? "The feed is" : `All ${count(feeds, "feed")} are`;
}

function count(n: number, noun: string): string {
  return `${n.toLocaleString("en")} ${noun}${n === 1 ? "" : "s"}`;
}

function pausedByFailures(attention: readonly Attention[]): number {
  return attention.find((item) => item.cause === "paused_by_failures")?.count ?? 0;
}
