import { setTimeout as delay } from "node:timers/promises";
import type { Caller } from "@/server/actor";
import type { Db, Feed, RunStatus, RunTrigger, Source } from "@/server/db";
import { AppError } from "@/server/errors";
import { workerFor } from "@/server/jobs/worker";
import { startRun } from "./start-run";

/** A person watches: short enough to feel immediate, long enough to cost nothing. */
const POLL_MS = 200;

/**
 * "Sync now": joins the run in progress, or queues one and wakes this process's worker. Works without
 * the scheduler too; if this process dies first, any other one takes the queued run.
 *
 * @param listing true: list from the beginning although the feed has a position.
 * @throws AppError feed_not_found, feed_disabled, feed_deleting; conflict when the feed or its source
 *   is paused, or when this server is not the one who syncs it.
 */
export async function requestSync(
  db: Db,
  caller: Caller,
  {
    feedId,
    trigger = "manual",
    listing = false,
  }: { feedId: string; trigger?: RunTrigger; listing?: boolean },
): Promise<{ runId: string; joined: boolean }> {
  const worker = workerFor(db);
  const feed = await db.feed.findUnique({
    where: { workspaceId_id: { workspaceId: caller.workspaceId, id: feedId } },
    include: { source: true },
  });
  if (!feed) throw new AppError("feed_not_found", "There is no such feed in this workspace.");
  refuseUnsyncable(feed, feed.source, worker.knows(feed.source.type));

  try {
    const { runId } = await startRun(db, caller, {
      feedId,
      trigger,
      executor: "cloud",
      listing,
      status: "queued",
    });
    worker.wake();
    return { runId, joined: false };
  } catch (error) {
    const active =
      error instanceof AppError && error.code === "run_active" ? error.info.extra?.runId : undefined;
    if (typeof active !== "string") throw error;
    worker.wake(); // the run we join may itself be queued
    return { runId: active, joined: true };
  }
}

// Disabled and deleting feeds are refused by startRun, under the feed's lock.
function refuseUnsyncable(feed: Feed, source: Source, isKnown: boolean): void {
  if (source.state === "deleting") throw new AppError("feed_deleting", "This source is being deleted.");
  if (feed.state === "disabled" || feed.state === "deleting") return;
  if (source.type === "api" || source.runsOn === "api") {
    throw new AppError(
      "conflict",
      "This feed only takes what programs push to it; there is nothing to sync from here.",
    );
  }
  if (source.runsOn === "agent") {
    throw new AppError(
      "conflict",
      "This feed is synced by the agent on your own machine, not by this server.",
    );
  }
  if (!isKnown) throw new AppError("conflict", `This server has no adapter of type "${source.type}".`);
  if (source.state === "paused") throw new AppError("conflict", "The source is paused. Resume it to sync.");
  if (feed.state === "paused") throw new AppError("conflict", "The feed is paused. Resume it to sync.");
}

/**
 * Waits until a run ended, at most `waitMs`. Holds no database connection in between.
 *
 * @returns its status, which is still `queued` or `running` when the time was too short or the caller
 *   went away.
 * @throws AppError not_found
 */
export async function waitForRun(
  db: Db,
  { workspaceId }: Caller,
  runId: string,
  waitMs: number,
  signal?: AbortSignal,
): Promise<RunStatus> {
  const deadline = performance.now() + waitMs;
  for (;;) {
    const run = await db.syncRun.findUnique({
      where: { workspaceId_id: { workspaceId, id: runId } },
      select: { status: true },
    });
    if (!run) throw new AppError("not_found", "There is no such run in this workspace.");
    const isOver = run.status !== "queued" && run.status !== "running";
    const left = deadline - performance.now();
    if (isOver || left <= 0 || signal?.aborted) return run.status;
    await delay(Math.min(POLL_MS, left), undefined, { signal }).catch(() => {});
  }
}
