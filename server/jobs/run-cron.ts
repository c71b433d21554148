import type { Db } from "@/server/db";
import { reapRuns } from "@/server/runs/reap-runs";
import { listQueuedRuns, measureDueFeeds } from "./claim-due-feeds";
import { type MaintenanceTask, runMaintenance } from "./maintenance-tasks";
import { createWorker, type WorkerOptions } from "./worker";

/** Hosted schedulers cut a request at a minute; the answer must be out before. */
export const CRON_BUDGET_MS = 50_000;
/** A run that begins with less than this left would only be cut short. */
const MIN_RUN_MS = 2_000;
const MAX_COUNTED = 10_000;

/** What a cron call answers. `succeeded` includes runs that stopped early and go on next time. */
export type CronResult = {
  claimed: number;
  succeeded: number;
  failed: number;
  /** Due feeds and queued runs left for the next call; of maintenance, tasks. */
  remaining: number;
  elapsedMs: number;
};

/**
 * Claims and runs what is due until nothing is or the time is up. Safe to call from many places at the
 * same time: each feed gets one run.
 */
export async function runSyncCron(
  db: Db,
  {
    budgetMs = CRON_BUDGET_MS,
    ...options
  }: { budgetMs?: number } & Omit<WorkerOptions, "budgetMs" | "onEnd"> = {},
): Promise<CronResult> {
  const started = performance.now();
  const leftMs = () => budgetMs - (performance.now() - started);
  const counts = { claimed: 0, succeeded: 0, failed: 0 };
  const worker = createWorker(db, {
    ...options,
    budgetMs: () => Math.max(leftMs(), MIN_RUN_MS),
    onEnd(_, status) {
      counts.claimed += 1;
      if (status === "failed" || status === "fenced") counts.failed += 1;
      else counts.succeeded += 1;
    },
  });
  await reapRuns(db);
  while (leftMs() > MIN_RUN_MS) {
    await worker.tick();
    if (worker.isIdle()) break;
    await worker.next();
  }
  await worker.drain();
  const { types } = worker;
  const due = await measureDueFeeds(db, types);
  const remaining = due.count + (await listQueuedRuns(db, { types, limit: MAX_COUNTED })).length;
  return { ...counts, remaining, elapsedMs: Math.round(performance.now() - started) };
}

/** Runs the maintenance tasks until all are done or the time is up. */
export async function runMaintainCron(
  db: Db,
  { budgetMs = CRON_BUDGET_MS, tasks }: { budgetMs?: number; tasks?: readonly MaintenanceTask[] } = {},
): Promise<CronResult> {
  const started = performance.now();
  const result = await runMaintenance(db, { signal: AbortSignal.timeout(budgetMs), tasks });
  return { ...result, elapsedMs: Math.round(performance.now() - started) };
}
