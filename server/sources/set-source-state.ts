import { audit } from "@/server/access/audit";
import type { Caller } from "@/server/actor";
import type { Db, Tx } from "@/server/db";
import type { StateChange } from "@/server/feeds/set-feed-state";
import { publish } from "@/server/live/publish";
import { inTransaction } from "@/server/transaction";
import { type LockedSource, lockSource } from "./lock-source";

/**
 * Takes a source from `active` to `paused` or back, audited; in the other state nothing happens.
 *
 * @param after what else the change needs, in its transaction.
 * @throws AppError not_found, conflict while it is being deleted.
 */
export async function setSourceState(
  db: Db,
  caller: Caller,
  sourceId: string,
  { to, action }: { to: "active" | "paused"; action: string },
  after?: (tx: Tx, source: LockedSource) => Promise<void>,
): Promise<StateChange> {
  const done = await inTransaction(db, async (tx) => {
    const source = await lockSource(tx, caller, sourceId, "update");
    const { count } = await tx.source.updateMany({
      where: {
        workspaceId: caller.workspaceId,
        id: sourceId,
        state: to === "active" ? "paused" : "active",
      },
      data: { state: to, updatedAt: new Date() },
    });
    if (count > 0) {
      await after?.(tx, source);
      await audit(tx, caller, action, sourceId);
    }
    return { changed: count > 0, before: source.state };
  });
  if (done.changed) publish(db, caller, { source: [sourceId] });
  return done;
}
