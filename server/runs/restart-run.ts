import type { Caller } from "@/server/actor";
import { type Db, Prisma, type Tx } from "@/server/db";
import { AppError } from "@/server/errors";
import { newId } from "@/server/ids";
import { type LockedFeed, lockFeed } from "@/server/ingest/lock-feed";
import { publish } from "@/server/live/publish";
import { inTransaction } from "@/server/transaction";
import { fenced } from "./heartbeat-run";
import { addRunEvents } from "./run-events";

/**
 * The upstream forgot the position: the run lists from the beginning from now on, and its `complete`
 * counts. A `date` or `idSet` cursor goes back to null, audited; a forgotten token stays until the
 * fresh one replaces it by compare-and-swap, so it is the `cursorBefore` to send.
 *
 * Documents the run stored before this are newer than its start, so a sweep spares them.
 *
 * @returns the authoritative cursor now.
 * @throws AppError not_found; run_fenced; conflict when this run restarted before: an upstream that
 *   forgets a position it just gave would go round for ever.
 */
export async function restartRun(
  db: Db,
  caller: Caller,
  { runId, reason }: { runId: string; reason: string },
): Promise<{ cursor: string | null }> {
  const { workspaceId } = caller;
  const run = await db.syncRun.findUnique({
    where: { workspaceId_id: { workspaceId, id: runId } },
    select: { feedId: true },
  });
  if (!run) throw new AppError("not_found", "There is no such run in this workspace.");

  const done = await inTransaction(db, async (tx) => {
    const feed = await lockFeed(tx, workspaceId, run.feedId);
    const restarted = await tx.syncRun.updateMany({
      where: { workspaceId, id: runId, status: "running", restarted: false },
      data: { restarted: true, listing: true },
    });
    if (restarted.count === 0) await refuseRestart(tx, workspaceId, runId);

    const cursor = feed.watermark === "token" ? feed.cursor : null;
    await tx.feed.update({
      where: { workspaceId_id: { workspaceId, id: feed.id } },
      // Validators would make the upstream answer "not modified" where everything must be listed.
      data: { cursor, adapterState: Prisma.DbNull },
    });
    if (cursor !== feed.cursor) await recordRestart(tx, caller, feed, { runId, reason });
    await addRunEvents(tx, { workspaceId, runId }, [
      {
        level: "warn",
        kind: "cursor",
        message: `The upstream forgot the position: ${reason}`,
        data: { from: feed.cursor },
      },
    ]);
    return { cursor };
  });
  publish(db, caller, { run: [runId], feed: [run.feedId] });
  return done;
}

async function refuseRestart(tx: Tx, workspaceId: number, runId: string): Promise<never> {
  const run = await tx.syncRun.findUnique({
    where: { workspaceId_id: { workspaceId, id: runId } },
    select: { status: true },
  });
  if (run?.status !== "running") throw fenced();
  throw new AppError(
    "conflict",
    "This run was restarted before; the upstream forgets positions it just gave.",
  );
}

async function recordRestart(
  tx: Tx,
  { workspaceId, actor }: Caller,
  feed: LockedFeed,
  { runId, reason }: { runId: string; reason: string },
): Promise<void> {
  await tx.cursorTransition.create({
    data: {
      workspaceId,
      id: newId("ctr"),
      feedId: feed.id,
      from: feed.cursor,
      to: null,
      outcome: "restart",
      runId,
      actor,
      reason,
    },
  });
}
