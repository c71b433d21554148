import type { Caller } from "@/server/actor";
import type { Db, Tx } from "@/server/db";
import { AppError } from "@/server/errors";
import { lockFeed } from "@/server/ingest/lock-feed";
import { SWEEP_TIMEOUT_MS } from "@/server/ingest/sweep";
import { publish } from "@/server/live/publish";
import { noteRunEnd } from "@/server/metrics/note-run";
import { inTransaction } from "@/server/transaction";
import { fenced } from "./heartbeat-run";
import type { RunError, RunWarning } from "./run-error";
import { type SettledRun, type Settlement, settleRun } from "./settle-run";

export type FinishRunInput = {
  runId: string;
  status: "succeeded" | "partial" | "failed" | "cancelled";
  error?: RunError | null;
  /** This run listed everything from the beginning: what it did not receive is gone upstream. */
  complete?: boolean;
  /** When a rate limit ends. */
  retryAt?: Date | null;
  /** Where a permanent redirect led; null = nowhere; undefined = not known. */
  movedTo?: string | null;
  warnings?: RunWarning[];
  durations?: Settlement["durations"];
};

const UNEXPLAINED: RunError = {
  origin: "adapter",
  code: "unexplained",
  message: "The program that ran this sync reported a failure and did not say why.",
  detail: null,
  retryable: true,
};

/**
 * Ends a run. The feed is locked first, as by every writer, so that no page of this run can land
 * between the listing's evidence and the sweep.
 *
 * @throws AppError not_found; run_fenced when the run is not active any more (nothing is written).
 */
export async function finishRun(db: Db, caller: Caller, input: FinishRunInput): Promise<SettledRun> {
  const { workspaceId } = caller;
  const run = await db.syncRun.findUnique({
    where: { workspaceId_id: { workspaceId, id: input.runId } },
    select: { feedId: true },
  });
  if (!run) throw new AppError("not_found", "There is no such run in this workspace.");
  const finish = async (tx: Tx) => {
    const feed = await lockFeed(tx, workspaceId, run.feedId);
    const error = input.error ?? (input.status === "failed" ? UNEXPLAINED : null);
    const settled = await settleRun(tx, caller, feed, { ...input, error, from: "active" });
    if (!settled) throw fenced();
    return settled;
  };
  const settled = await inTransaction(db, finish, input.complete ? { timeoutMs: SWEEP_TIMEOUT_MS } : {});
  noteRunEnd(settled);
  const { runId, feedId, swept } = settled;
  publish(db, caller, { run: [runId], feed: [feedId], documents: swept > 0 ? [feedId] : [] });
  return settled;
}
