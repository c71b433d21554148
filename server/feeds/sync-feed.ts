import type { Caller } from "@/server/actor";
import type { Db } from "@/server/db";
import { getRun } from "@/server/runs/get-run";
import { requestSync, waitForRun } from "@/server/runs/request-sync";
import type { ApiRunWithEvents } from "@/server/runs/run-shape";
import { requireFeed } from "./get-feed";

export type SyncedFeed = {
  runId: string;
  /** It was in progress already. */
  joined: boolean;
  /** Once it ended; null when that was not waited for, or not long enough. */
  run: ApiRunWithEvents | null;
};

/**
 * "Sync now": joins the run in progress or starts one.
 *
 * @param wait seconds to wait for its end; 0 or absent = answer at once.
 * @throws AppError feed_not_found, feed_disabled, feed_deleting; conflict for what cannot be synced.
 */
export async function syncFeed(
  db: Db,
  caller: Caller,
  { feedId, wait = 0 }: { feedId: string; wait?: number },
  signal?: AbortSignal,
): Promise<SyncedFeed> {
  await requireFeed(db, caller, feedId);
  const trigger = caller.actor.type === "user" ? "manual" : "api";
  const { runId, joined } = await requestSync(db, caller, { feedId, trigger });
  if (wait <= 0) return { runId, joined, run: null };
  const status = await waitForRun(db, caller, runId, wait * 1000, signal);
  const isOver = status !== "queued" && status !== "running";
  return { runId, joined, run: isOver ? await getRun(db, caller, { runId }) : null };
}
