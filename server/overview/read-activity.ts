import type { Db } from "@/server/db";
import { readRunNames } from "@/server/runs/read-run-names";
import type { RunError } from "@/server/runs/run-error";
import type { Activity } from "./overview-shape";

const SHOWN = 20;
/** Uneventful runs are most of all; so many are looked at for eventful ones. */
const LOOKED_AT = 500;

/** What happened lately: runs that changed or failed something, and what people and programs did. */
export async function readActivity(db: Db, workspaceId: number): Promise<Activity[]> {
  const [runs, acts] = await Promise.all([readRuns(db, workspaceId), readActs(db, workspaceId)]);
  return [...runs, ...acts].sort((a, b) => (a.at < b.at ? 1 : -1)).slice(0, SHOWN);
}

type RunRow = {
  id: string;
  at: Date;
  status: string;
  trigger: string;
  feedId: string;
  sourceId: string;
  created: number;
  updated: number;
  deleted: number;
  rejected: number;
  error: RunError | null;
};

async function readRuns(db: Db, workspaceId: number): Promise<Activity[]> {
  const rows = await db.$queryRaw<RunRow[]>`
    SELECT * FROM (
      SELECT id, coalesce(finished_at, started_at, queued_at) AS at, status::text, trigger::text,
             feed_id AS "feedId", source_id AS "sourceId", created, updated, deleted, rejected, error
        FROM sync_runs
       WHERE workspace_id = ${workspaceId}::int
       ORDER BY coalesce(started_at, queued_at) DESC, id DESC
       LIMIT ${LOOKED_AT}::int) latest
     WHERE created + updated + deleted + rejected > 0 OR status IN ('running', 'failed', 'abandoned')
     ORDER BY at DESC
     LIMIT ${SHOWN}::int`;
  const namesOf = await readRunNames(db, workspaceId, rows);
  return rows.map(({ error, at, ...row }) => ({
    type: "run",
    ...row,
    at: at.toISOString(),
    ...namesOf(row),
    message: error?.message ?? null,
  }));
}

type ActRow = {
  id: string;
  at: Date;
  actor: unknown;
  action: string;
  targetId: string | null;
  targetName: string | null;
};

async function readActs(db: Db, workspaceId: number): Promise<Activity[]> {
  const rows = await db.$queryRaw<ActRow[]>`
    SELECT a.id, a.at, a.actor, a.action, a.target_id AS "targetId",
           coalesce(f.name, f.upstream_title, f.external_key, s.name,
                    CASE WHEN a.action LIKE 'person.%' THEN a.detail->>'name' END) AS "targetName"
      FROM (SELECT * FROM audit_entries WHERE workspace_id = ${workspaceId}::int
             ORDER BY id DESC LIMIT ${SHOWN}::int) a
      LEFT JOIN feeds f ON f.workspace_id = a.workspace_id AND f.id = a.target_id
      LEFT JOIN sources s ON s.workspace_id = a.workspace_id AND s.id = a.target_id`;
  return rows.map((row) => ({ type: "act", ...row, at: row.at.toISOString() }));
}
