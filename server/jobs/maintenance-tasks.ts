import { dropFullBuckets } from "@/server/access/shared-buckets";
import { purgeTombstones } from "@/server/changes/purge-tombstones";
import type { Db } from "@/server/db";
import { continueDeletions } from "@/server/feeds/continue-deletions";
import { log } from "@/server/log";
import { noteRound } from "@/server/metrics/note-round";
import { lookWhereDue } from "@/server/new-feeds/look-where-due";
import { dropExpiredInvitations } from "@/server/people/drop-expired-invitations";
import { dropExpiredHostRows } from "@/server/runs/drop-expired-host-rows";
import { expireRecords } from "@/server/runs/expire-records";
import { foldRuns } from "@/server/runs/fold-runs";
import { reapRuns } from "@/server/runs/reap-runs";
import { announceChanges } from "@/server/webhooks/announce-changes";
import { deliverWhereDue } from "@/server/webhooks/deliver-where-due";
import { expireDeliveries } from "@/server/webhooks/expire-deliveries";

/** Work that keeps the store in order. Each may be cut short by the signal and goes on next time. */
export type MaintenanceTask = {
  name: string;
  /** How often the scheduler does it; the cron route does everything each time. */
  everyMs: number;
  run(db: Db, options: { signal: AbortSignal }): Promise<unknown>;
};

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
/** A server that is told to stop waits for a round, so rounds are short. */
const ROUND_MS = 3 * SECOND_MS;

export const maintenanceTasks: readonly MaintenanceTask[] = [
  // Leases last a minute by default; looking more often finds nothing.
  { name: "reap-runs", everyMs: 10 * SECOND_MS, run: reapRuns },
  {
    name: "continue-deletions",
    everyMs: 5 * SECOND_MS,
    run: (db, { signal }) => continueDeletions(db, { budgetMs: ROUND_MS, signal }),
  },
  // With nothing due it reads one index entry per workspace; a backlog goes at some 30,000 a round.
  {
    name: "purge-tombstones",
    everyMs: MINUTE_MS,
    run: (db, { signal }) => purgeTombstones(db, { budgetMs: ROUND_MS, signal }),
  },
  // A look is due once a day; half a minute is how long whoever turned it on waits for the first.
  { name: "look-for-feeds", everyMs: 30 * SECOND_MS, run: (db, { signal }) => lookWhereDue(db, { signal }) },
  // Both read a few rows of a small table when there is nothing to do. Announcing comes first, so that a
  // cron call delivers what it announces.
  { name: "announce-changes", everyMs: 2 * SECOND_MS, run: announceChanges },
  { name: "deliver-webhooks", everyMs: SECOND_MS, run: (db, { signal }) => deliverWhereDue(db, { signal }) },
  { name: "expire-deliveries", everyMs: HOUR_MS, run: expireDeliveries },
  { name: "fold-runs", everyMs: HOUR_MS, run: foldRuns },
  { name: "expire-records", everyMs: HOUR_MS, run: expireRecords },
  { name: "drop-expired-host-rows", everyMs: HOUR_MS, run: dropExpiredHostRows },
  { name: "drop-expired-invitations", everyMs: HOUR_MS, run: dropExpiredInvitations },
  { name: "drop-full-rate-buckets", everyMs: HOUR_MS, run: dropFullBuckets },
];

/** Runs every task in turn; one that fails does not stop the others. */
export async function runMaintenance(
  db: Db,
  { signal, tasks = maintenanceTasks }: { signal: AbortSignal; tasks?: readonly MaintenanceTask[] },
): Promise<{ claimed: number; succeeded: number; failed: number; remaining: number }> {
  let succeeded = 0;
  let failed = 0;
  for (const task of tasks) {
    if (signal.aborted) break;
    try {
      await task.run(db, { signal });
      succeeded += 1;
      noteRound(task.name, "done");
    } catch (error) {
      failed += 1;
      noteRound(task.name, "failed");
      log.error({ err: error, task: task.name }, "maintenance task failed");
    }
  }
  const claimed = succeeded + failed;
  return { claimed, succeeded, failed, remaining: tasks.length - claimed };
}
