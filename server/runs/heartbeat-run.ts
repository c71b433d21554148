import type { Caller } from "@/server/actor";
import type { Db } from "@/server/db";
import { AppError } from "@/server/errors";
import { leaseSeconds } from "./run-limits";

/**
 * Renews a running run's lease, never past its deadline.
 *
 * @throws AppError run_fenced when the run is not running any more, or past its deadline: stop then.
 *   Another workspace's run looks the same.
 */
export async function heartbeatRun(
  db: Db,
  { workspaceId }: Caller,
  { runId }: { runId: string },
): Promise<{ leaseExpiresAt: Date }> {
  const [run] = await db.$queryRaw<{ leaseExpiresAt: Date }[]>`
    UPDATE sync_runs
       SET lease_expires_at = least(clock_timestamp() + make_interval(secs => ${leaseSeconds()}::int), deadline_at)
     WHERE workspace_id = ${workspaceId}::int AND id = ${runId}
       AND status = 'running' AND deadline_at > clock_timestamp()
    RETURNING lease_expires_at AS "leaseExpiresAt"`;
  if (!run) throw fenced();
  return run;
}

/** What every late sign of life of a run that is over gets. */
export function fenced(): AppError {
  return new AppError(
    "run_fenced",
    "This run is not active any more: it was finished, or its lease ran out. Nothing was written. Start a new run.",
  );
}
