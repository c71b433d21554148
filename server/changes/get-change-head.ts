import type { Caller } from "@/server/actor";
import type { Db } from "@/server/db";
import { beginWalk, cursorAfter, type ReadPage, readChanges } from "./read-changes";
import type { ChangeHead } from "./schema";

/** Where the feed stands, and a cursor from which a walk begins here. */
export async function getChangeHead(db: Db, caller: Pick<Caller, "workspaceId">): Promise<ChangeHead> {
  const walk = beginWalk(caller, { cursor: "now", limit: 1 });
  const page = await readChanges(db, walk);
  return { ...toHead(page), cursor: cursorAfter(walk, page) };
}

export function toHead({ head }: ReadPage): Omit<ChangeHead, "cursor"> {
  return {
    head: String(head.head),
    safePoint: String(head.position),
    horizon: String(head.horizon),
    epoch: head.epoch,
  };
}
