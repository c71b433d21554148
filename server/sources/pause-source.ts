import type { Caller } from "@/server/actor";
import type { Db } from "@/server/db";
import type { StateChange } from "@/server/feeds/set-feed-state";
import { tellOfSourcePause } from "@/server/webhooks/tell-of-pause";
import { getSource } from "./get-source";
import { setSourceState } from "./set-source-state";
import type { ApiSource } from "./source-shape";

type BySource = { sourceId: string };

/**
 * Stops all feeds of a source from being synced by themselves. They keep their own states, so that
 * what a person paused one by one is still paused after the source is resumed.
 *
 * @throws AppError not_found, conflict while it is being deleted.
 */
export async function pauseSource(db: Db, caller: Caller, { sourceId }: BySource): Promise<ApiSource> {
  await pauseSourceRow(db, caller, { sourceId });
  return getSource(db, caller, { sourceId });
}

/** The act itself. */
export function pauseSourceRow(db: Db, caller: Caller, { sourceId }: BySource): Promise<StateChange> {
  return setSourceState(db, caller, sourceId, { to: "paused", action: "source.pause" }, (tx) =>
    tellOfSourcePause(tx, caller, sourceId),
  );
}
