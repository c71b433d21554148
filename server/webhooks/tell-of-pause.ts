import type { Caller } from "@/server/actor";
import type { Tx } from "@/server/db";
import { recordEvent } from "./record-event";

/** Call it under the feed's lock, in the transaction that pauses it. */
export async function tellOfPause(tx: Tx, caller: Caller, feedId: string): Promise<void> {
  await recordEvent(tx, caller, { type: "feed.paused", feedId, data: { pausedBy: "person", reason: null } });
}

/** One event for all feeds of a source: they keep their own states, and there may be hundreds. */
export async function tellOfSourcePause(tx: Tx, caller: Caller, sourceId: string): Promise<void> {
  const data = { pausedBy: "source", reason: null } as const;
  await recordEvent(tx, caller, { type: "feed.paused", feedId: null, sourceId, data });
}
