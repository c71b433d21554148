import { audit } from "@/server/access/audit";
import type { Caller } from "@/server/actor";
import type { Db } from "@/server/db";
import { publish } from "@/server/live/publish";
import { inTransaction } from "@/server/transaction";
import { getSource } from "./get-source";
import { lockSource } from "./lock-source";
import type { ApiSource } from "./source-shape";

/**
 * Stops all feeds of a source from being synced by themselves. They keep their own states, so that
 * what a person paused one by one is still paused after the source is resumed.
 *
 * @throws AppError not_found, conflict while it is being deleted.
 */
export async function pauseSource(
  db: Db,
  caller: Caller,
  { sourceId }: { sourceId: string },
): Promise<ApiSource> {
  await pauseSourceRow(db, caller, { sourceId });
  return getSource(db, caller, { sourceId });
}

/** The act itself. @returns whether it changed anything, and the state that was left. */
export async function pauseSourceRow(
  db: Db,
  caller: Caller,
  { sourceId }: { sourceId: string },
): Promise<{ changed: boolean; before: string }> {
  const done = await inTransaction(db, async (tx) => {
    const { workspaceId } = caller;
    const source = await lockSource(tx, caller, sourceId, "update");
    const { count } = await tx.source.updateMany({
      where: { workspaceId, id: sourceId, state: "active" },
      data: { state: "paused", updatedAt: new Date() },
    });
    if (count > 0) await audit(tx, caller, "source.pause", sourceId);
    return { changed: count > 0, before: source.state };
  });
  if (done.changed) publish(db, caller, { source: [sourceId] });
  return done;
}
