import { audit } from "@/server/access/audit";
import type { Actor, Caller } from "@/server/actor";
import type { Db } from "@/server/db";
import { AppError } from "@/server/errors";
import { forgetConsumer } from "./note-consumer";
import { beginWalk, maxOf, readChanges } from "./read-changes";
import type { ConsumerItem } from "./schema";

/** Everyone who follows the feed under a name, the one seen last first; a thousand at most. */
export async function listConsumers(db: Db, caller: Pick<Caller, "workspaceId">): Promise<ConsumerItem[]> {
  const { workspaceId } = caller;
  const [{ head }, rows] = await Promise.all([
    readChanges(db, beginWalk(caller, { cursor: "now", limit: 1 })),
    db.consumer.findMany({ where: { workspaceId }, orderBy: [{ seenAt: "desc" }, { name: "asc" }] }),
  ]);
  return rows.map((row) => {
    const furthest = maxOf(row.position, row.snapshotBound ?? 0n);
    const isExpired = row.epoch !== head.epoch || (row.position > 0n && furthest < head.horizon);
    const actor = row.actor as Actor;
    return {
      name: row.name,
      position: String(row.position),
      lag: isExpired ? null : String(maxOf(0n, head.position - row.position)),
      distanceToHorizon: isExpired ? null : String(maxOf(0n, furthest - head.horizon)),
      isExpired,
      isFirstWalk: row.position === 0n || row.snapshotBound !== null,
      sourceId: row.sourceId,
      feedId: row.feedId,
      tokenName: "name" in actor ? actor.name : null,
      seenAt: row.seenAt.toISOString(),
      createdAt: row.createdAt.toISOString(),
    };
  });
}

/**
 * Takes a name off the list; its cursor stays good, and pulling again brings it back.
 *
 * @throws AppError not_found
 */
export async function deleteConsumer(db: Db, caller: Caller, { name }: { name: string }): Promise<void> {
  const { workspaceId } = caller;
  await db.$transaction(async (tx) => {
    const { count } = await tx.consumer.deleteMany({ where: { workspaceId, name } });
    if (count === 0) throw new AppError("not_found", "There is no consumer of this name.");
    await audit(tx, caller, "consumer.delete", null, { name });
  });
  forgetConsumer(db, workspaceId, name);
}
