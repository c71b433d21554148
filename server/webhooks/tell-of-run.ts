import type { Caller } from "@/server/actor";
import type { Feed, Tx } from "@/server/db";
import type { FeedPatch } from "@/server/runs/feed-after-run";
import type { RunError } from "@/server/runs/run-error";
import { recordEvent } from "./record-event";

type EndedRun = {
  runId: string;
  /** The feed as the run found it … */
  before: Pick<Feed, "id" | "state" | "failingSince" | "consecutiveFailures" | "error">;
  /** … and what its end changes. */
  patch: FeedPatch;
  run: { status: string; error?: RunError | null };
};

/** The events of a run's end, in the transaction that ends it. */
export async function tellOfRun(
  tx: Tx,
  caller: Caller,
  { runId, before, patch, run }: EndedRun,
): Promise<void> {
  const feedId = before.id;
  if ((run.status === "failed" || run.status === "abandoned") && patch.failingSince) {
    await recordEvent(tx, caller, {
      type: "run.failed",
      feedId,
      runId,
      data: {
        status: run.status,
        error: run.error ? pickError(run.error) : null,
        feedState: patch.state ?? before.state,
        consecutiveFailures: patch.consecutiveFailures ?? 1,
        failingSince: patch.failingSince.toISOString(),
        nextSyncAt: patch.nextSyncAt?.toISOString() ?? null,
      },
    });
  }
  // Resuming a feed forgets since when it failed, its last error stays until it is over.
  if (patch.error === null && (before.failingSince !== null || before.error !== null)) {
    await recordEvent(tx, caller, {
      type: "run.recovered",
      feedId,
      runId,
      data: {
        failingSince: before.failingSince?.toISOString() ?? null,
        consecutiveFailures: before.consecutiveFailures,
      },
    });
  }
  if (patch.rateLimitedUntil) {
    await recordEvent(tx, caller, {
      type: "feed.rate_limited",
      feedId,
      runId,
      data: { until: patch.rateLimitedUntil.toISOString() },
    });
  }
  if (patch.state === "paused") {
    const reason = run.error?.message ?? null;
    await recordEvent(tx, caller, { type: "feed.paused", feedId, data: { pausedBy: "failures", reason } });
  }
}

/** Deletes that wait for a person, in the transaction that holds them. */
export async function tellOfHold(
  tx: Tx,
  caller: Caller,
  { feedId, runId, holdId }: { feedId: string; runId: string; holdId: string },
): Promise<void> {
  const { count, reason } = await tx.heldDelete.findUniqueOrThrow({
    where: { workspaceId_id: { workspaceId: caller.workspaceId, id: holdId } },
    select: { count: true, reason: true },
  });
  await recordEvent(tx, caller, { type: "deletes.held", feedId, runId, data: { holdId, count, reason } });
}

/** Without `detail`: it is the upstream's raw answer. */
function pickError({ origin, code, message }: RunError) {
  return { origin, code, message };
}
