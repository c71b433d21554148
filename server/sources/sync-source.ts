import type { Caller } from "@/server/actor";
import type { Db } from "@/server/db";
import { AppError } from "@/server/errors";
import { requestSync } from "@/server/runs/request-sync";
import { getSource } from "./get-source";
import type { ApiSource } from "./source-shape";

/** So many feeds get their run in the answer; the others become due now and are claimed by schedule. */
const MAX_STARTED = 50;

export type SyncedSource = ApiSource & { runs: { feedId: string; runId: string; joined: boolean }[] };

/**
 * "Sync now" for every active feed of a source. Runs in progress are joined.
 *
 * @throws AppError not_found; conflict while it is paused or being deleted, or when this server is not
 *   the one that syncs it.
 */
export async function syncSource(
  db: Db,
  caller: Caller,
  { sourceId }: { sourceId: string },
): Promise<SyncedSource> {
  const { workspaceId } = caller;
  const source = await getSource(db, caller, { sourceId });
  if (source.status === "deleting") throw new AppError("conflict", "This source is being deleted.");
  if (source.status === "paused") throw new AppError("conflict", "The source is paused. Resume it to sync.");
  if (source.runsOn !== "cloud") {
    throw new AppError("conflict", "This server does not sync this source: its documents are pushed.");
  }
  const feeds = await db.feed.findMany({
    where: { workspaceId, sourceId, state: { in: ["active", "needs_reconnect"] } },
    select: { id: true },
    orderBy: { id: "asc" },
    take: MAX_STARTED,
  });
  const trigger = caller.actor.type === "user" ? "manual" : "api";
  const runs: SyncedSource["runs"] = [];
  for (const { id: feedId } of feeds) {
    const run = await startOrSkip(() => requestSync(db, caller, { feedId, trigger }));
    if (run) runs.push({ feedId, ...run });
  }
  const last = feeds.at(-1);
  if (last && feeds.length === MAX_STARTED) {
    await db.feed.updateMany({
      where: { workspaceId, sourceId, state: "active", id: { gt: last.id }, nextSyncAt: { gt: new Date() } },
      data: { nextSyncAt: new Date(), nextSyncReason: "Sync now" },
    });
  }
  return { ...(await getSource(db, caller, { sourceId })), runs };
}

/** A feed that was paused or deleted since the list was read is none of this call's business. */
async function startOrSkip<T>(start: () => Promise<T>): Promise<T | null> {
  try {
    return await start();
  } catch (error) {
    const isGone =
      error instanceof AppError &&
      ["conflict", "feed_not_found", "feed_deleting", "feed_disabled"].includes(error.code);
    if (isGone) return null;
    throw error;
  }
}
