import type { Caller } from "@/server/actor";
import type { Db } from "@/server/db";
import type { StateChange } from "@/server/feeds/set-feed-state";
import { getSource } from "./get-source";
import { setSourceState } from "./set-source-state";
import type { ApiSource } from "./source-shape";

type BySource = { sourceId: string };

/**
 * Lets the active feeds of a paused source sync again; what became due meanwhile is due now.
 *
 * @throws AppError not_found, conflict while it is being deleted.
 */
export async function resumeSource(db: Db, caller: Caller, { sourceId }: BySource): Promise<ApiSource> {
  await resumeSourceRow(db, caller, { sourceId });
  return getSource(db, caller, { sourceId });
}

/** The act itself. */
export function resumeSourceRow(db: Db, caller: Caller, { sourceId }: BySource): Promise<StateChange> {
  const { workspaceId } = caller;
  return setSourceState(
    db,
    caller,
    sourceId,
    { to: "active", action: "source.resume" },
    async (tx, { runsOn }) => {
      if (runsOn !== "cloud") return;
      // A run that ended during the pause may have left a feed without a due time.
      await tx.feed.updateMany({
        where: { workspaceId, sourceId, state: "active", nextSyncAt: null },
        data: { nextSyncAt: new Date(), nextSyncReason: "Resumed" },
      });
    },
  );
}
