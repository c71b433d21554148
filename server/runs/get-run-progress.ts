import type { Caller } from "@/server/actor";
import type { Db } from "@/server/db";
import { getRun } from "./get-run";
import type { ApiRunWithEvents } from "./run-shape";

/** How far a run is, for who watches it. */
export type RunProgress = {
  pages: number;
  /** Received so far, whatever became of them. */
  documents: number;
  /** Since it began, by the database's clock; null while it is queued. */
  seconds: number | null;
  /** Over the whole run so far; null before the first second. */
  documentsPerSecond: number | null;
  /** What the last complete listing of the feed brought, when this run lists too; null = not known. */
  expectedDocuments: number | null;
  /** At the present rate; null when nothing can be said. */
  secondsLeft: number | null;
};

export type ApiRunWithProgress = ApiRunWithEvents & { progress: RunProgress };

/** Earlier runs that are looked at for the last listing. */
const LOOKED_AT = 200;

/** @throws AppError not_found, as getRun. */
export async function getRunProgress(
  db: Db,
  caller: Caller,
  input: { runId: string },
): Promise<ApiRunWithProgress> {
  const run = await getRun(db, caller, input);
  const facts = await readFacts(db, caller, run);
  const documents = run.created + run.updated + run.skipped + run.deleted + run.rejected;
  const { seconds, expected } = facts;
  const rate = seconds !== null && seconds >= 1 ? documents / seconds : null;
  const left = expected === null || !rate ? null : Math.max(0, expected - documents) / rate;
  return {
    ...run,
    progress: {
      pages: run.pages,
      documents,
      seconds,
      documentsPerSecond: rate === null ? null : Math.round(rate * 10) / 10,
      expectedDocuments: expected,
      secondsLeft: left === null ? null : Math.round(left),
    },
  };
}

async function readFacts(
  db: Db,
  { workspaceId }: Caller,
  run: ApiRunWithEvents,
): Promise<{ seconds: number | null; expected: number | null }> {
  // The database's clock began the run, so it says how long ago that was.
  const [row] = await db.$queryRaw<{ seconds: number | null; expected: number | null }[]>`
    SELECT extract(epoch FROM coalesce(r.finished_at, clock_timestamp()) - r.started_at)::float8 AS seconds,
           CASE WHEN r.status = 'running' AND r.listing THEN (
             SELECT p.created + p.updated + p.skipped + p.deleted + p.rejected
               FROM (SELECT * FROM sync_runs e
                      WHERE e.workspace_id = r.workspace_id AND e.feed_id = r.feed_id AND e.id < r.id
                      ORDER BY e.id DESC LIMIT ${LOOKED_AT}::int) p
              WHERE p.listing AND p.status = 'succeeded' AND p.created + p.updated + p.skipped > 0
              ORDER BY p.id DESC LIMIT 1) END AS expected
      FROM sync_runs r
     WHERE r.workspace_id = ${workspaceId}::int AND r.id = ${run.id}`;
  const seconds = row?.seconds ?? null;
  return {
    seconds: seconds === null ? null : Math.round(seconds * 10) / 10,
    expected: row?.expected ?? null,
  };
}
