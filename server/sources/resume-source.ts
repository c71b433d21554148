import { audit } from "@/server/access/audit";
import type { Caller } from "@/server/actor";
import type { Db } from "@/server/db";
import { publish } from "@/server/live/publish";
import { inTransaction } from "@/server/transaction";
import { getSource } from "./get-source";
import { lockSource } from "./lock-source";
import type { ApiSource } from "./source-shape";

/**
 * Lets the active feeds of a paused source sync again; what became due meanwhile is due now.
 *
 * @throws AppError not_found, conflict while it is being deleted.
 */
export async function resumeSource(
  db: Db,
  caller: Caller,
  { sourceId }: { sourceId: string },
): Promise<ApiSource> {
  await resumeSourceRow(db, caller, { sourceId });
  return getSource(db, caller, { sourceId });
}

/** The act itself. @returns whether it changed anything, and the state that was left. */
export async function resumeSourceRow(
  db: Db,
  caller: Caller,
  { sourceId }: { sourceId: string },
): Promise<{ changed: boolean; before: string }> {
  const done = await inTransaction(db, async (tx) => {
    const { workspaceId } = caller;
    const source = await lockSource(tx, caller, sourceId, "update");
    const { count } = await tx.source.updateMany({
      where: { workspaceId, id: sourceId, state: "paused" },
      data: { state: "active", updatedAt: new Date() },
    });
    if (count === 0) return { changed: false, before: source.state };
    if (source.runsOn === "cloud") {
      // A run that ended during the pause may have left a feed without a due time.
      await tx.feed.updateMany({
        where: { workspaceId, sourceId, state: "active", nextSyncAt: null },
        data: { nextSyncAt: new Date(), nextSyncReason: "Resumed" },
      });
    }
    await audit(tx, caller, "source.resume", sourceId);
    return { changed: true, before: source.state };
  });
  if (done.changed) publish(db, caller, { source: [sourceId] });
  return done;
}
