import type { Db } from "@/server/db";
import { log } from "@/server/log";
import { dropExpiredHostRows } from "@/server/runs/drop-expired-host-rows";
import { foldRuns } from "@/server/runs/fold-runs";
import { reapRuns } from "@/server/runs/reap-runs";

/** Work that keeps the store in order. Each may be cut short by the signal and goes on next time. */
export type MaintenanceTask = {
  name: string;
  run(db: Db, options: { signal: AbortSignal }): Promise<unknown>;
};

export const maintenanceTasks: readonly MaintenanceTask[] = [
  { name: "reap-runs", run: reapRuns },
  { name: "fold-runs", run: foldRuns },
  { name: "drop-expired-host-rows", run: dropExpiredHostRows },
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
    } catch (error) {
      failed += 1;
      log.error({ err: error, task: task.name }, "maintenance task failed");
    }
  }
  const claimed = succeeded + failed;
  return { claimed, succeeded, failed, remaining: tasks.length - claimed };
}
