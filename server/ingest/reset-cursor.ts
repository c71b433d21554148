import { audit } from "@/server/access/audit";
import type { Caller } from "@/server/actor";
import { type Db, Prisma, type Tx } from "@/server/db";
import { AppError } from "@/server/errors";
import { newId } from "@/server/ids";
import { publish } from "@/server/live/publish";
import { inTransaction } from "@/server/transaction";
import { lockFeed, requireWritable } from "./lock-feed";

export type ResetInput = {
  feedId: string;
  /**
   * null: forget the position. An id: the cursor as that transition left it. A run: the cursor as it
   * was when that run began.
   */
  to: string | null | { beforeRun: string };
  reason: string;
  /** Answers what would happen and changes nothing. */
  dryRun?: boolean;
};

export type ResetResult = {
  feedId: string;
  from: string | null;
  to: string | null;
  dryRun: boolean;
  /** The transition that records it; null for a dry run. */
  transitionId: string | null;
  /** Live documents, none of which a reset touches: what the next sync brings again is recognised. */
  documentsKept: number;
  /** One sentence: what the next sync will do. */
  effect: string;
};

/**
 * The only way a cursor goes back: a person's deliberate act.
 *
 * @throws AppError run_active while a run is queued or running, not_found for a transition that is not
 *   this feed's, invalid_request without a reason, feed_not_found, feed_deleting, feed_disabled.
 */
export async function resetCursor(db: Db, caller: Caller, input: ResetInput): Promise<ResetResult> {
  const { workspaceId } = caller;
  const { feedId, dryRun = false } = input;
  const reason = input.reason.trim();
  if (reason === "") {
    throw new AppError("invalid_request", "Say why the cursor is reset.", {
      fields: [
        { path: "reason", code: "required", message: "A reset needs a reason; it is kept in the audit log." },
      ],
    });
  }
  const done = await inTransaction(db, async (tx) => {
    const feed = await lockFeed(tx, workspaceId, feedId);
    requireWritable(feed);
    await refuseWhileRunning(tx, workspaceId, feedId, "reset the cursor");
    const to = await readTarget(tx, workspaceId, feedId, input.to);
    const result = {
      feedId,
      from: feed.cursor,
      to,
      dryRun,
      documentsKept: feed.documentCount,
      effect: describeEffect(to),
    };
    if (dryRun) return { ...result, transitionId: null };

    const transitionId = await writeReset(tx, caller, { feedId, from: feed.cursor, to, reason });
    await audit(tx, caller, "feed.reset", feedId, { from: feed.cursor, to, reason });
    return { ...result, transitionId };
  });
  if (!dryRun) publish(db, caller, { feed: [feedId] });
  return done;
}

/** Under the feed's lock: starting a run takes it too, so none begins between this look and what follows. */
export async function refuseWhileRunning(
  tx: Tx,
  workspaceId: number,
  feedId: string,
  what: string,
): Promise<void> {
  const active = await tx.syncRun.findFirst({
    where: { workspaceId, feedId, status: { in: ["queued", "running"] } },
    select: { id: true },
  });
  if (!active) return;
  throw new AppError("run_active", `A sync run is active; wait for it to end, then ${what}.`, {
    extra: { runId: active.id },
  });
}

/** Moves the cursor and records that a person did. @returns the transition's id. */
export async function writeReset(
  tx: Tx,
  { workspaceId, actor }: Caller,
  { feedId, from, to, reason }: { feedId: string; from: string | null; to: string | null; reason: string },
): Promise<string> {
  await tx.feed.update({
    where: { workspaceId_id: { workspaceId, id: feedId } },
    // HTTP validators belong to the position: with them the upstream would answer "not modified".
    data: { cursor: to, adapterState: Prisma.DbNull, stuckRuns: 0 },
  });
  const id = newId("ctr");
  await tx.cursorTransition.create({
    data: { workspaceId, id, feedId, from, to, outcome: "reset", actor, reason },
  });
  return id;
}

async function readTarget(
  tx: Tx,
  workspaceId: number,
  feedId: string,
  to: ResetInput["to"],
): Promise<string | null> {
  if (to === null) return null;
  return typeof to === "string"
    ? readTransition(tx, workspaceId, feedId, to)
    : readRunStart(tx, workspaceId, feedId, to.beforeRun);
}

/** A run's first transition says where it found the cursor, even where the run restarted since. */
async function readRunStart(
  tx: Tx,
  workspaceId: number,
  feedId: string,
  runId: string,
): Promise<string | null> {
  const first = await tx.cursorTransition.findFirst({
    where: { workspaceId, feedId, runId },
    orderBy: { id: "asc" },
    select: { from: true },
  });
  if (first) return first.from;
  const run = await tx.syncRun.findFirst({
    where: { workspaceId, feedId, id: runId },
    select: { cursorBefore: true },
  });
  if (!run) throw new AppError("not_found", "This feed has no such run any more.");
  return run.cursorBefore;
}

async function readTransition(
  tx: Tx,
  workspaceId: number,
  feedId: string,
  id: string,
): Promise<string | null> {
  const transition = await tx.cursorTransition.findFirst({
    where: { workspaceId, feedId, id },
    select: { to: true },
  });
  if (!transition) throw new AppError("not_found", "This feed has no such cursor transition.");
  return transition.to;
}

function describeEffect(to: string | null): string {
  const again =
    "Documents that are stored already are recognised, so nothing is doubled and nothing is deleted.";
  return to === null
    ? `The next sync starts from the beginning. ${again}`
    : `The next sync starts again from the earlier cursor. ${again}`;
}
