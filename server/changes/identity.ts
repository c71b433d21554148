import { randomUUID } from "node:crypto";
import type { Db, Tx } from "@/server/db";
import { log } from "@/server/log";
import type { FeedHead } from "./read-page";
import type { ClusterIdentity } from "./safe-point";

/**
 * The epoch: a random id of this incarnation of the change log. When history was put back, numbers are
 * given out a second time, and an old cursor would silently miss what they now stand for; so the epoch
 * changes and every cursor of the old one expires.
 *
 * `npm run cli -- db restore` always changes it. What is here finds out by itself, as well as that can
 * be done: another cluster (system identifier), a promotion or recovery to a point in time (timeline), a
 * cursor ahead of the log. A disk snapshot started again has neither; nothing but the last finds it.
 *
 * pg_control_system() is closed to unprivileged roles on some hosts. Then only the timeline is compared,
 * which misses a logical restore into another cluster by hand: run `db restore`, or change the epoch.
 */

/**
 * Compares what the cluster is with what it was when the epoch began.
 *
 * @returns true when the epoch was changed, by us or by a rival: read again before anything is served.
 */
export async function changeEpochIfMoved(
  db: Db,
  stored: FeedHead,
  { systemIdentifier, timeline }: ClusterIdentity,
): Promise<boolean> {
  if (differs(stored.systemIdentifier, systemIdentifier) || differs(stored.timeline, timeline)) {
    await changeEpoch(db, { from: stored.epoch, why: "the cluster is not the one it was" });
    return true;
  }
  const isNews =
    (stored.systemIdentifier === null && systemIdentifier !== null) ||
    (stored.timeline === null && timeline !== null);
  // Raw for the compare-and-swap on nulls: the first to know fills them in.
  if (isNews) {
    await db.$executeRaw`
      UPDATE instance
         SET system_identifier = coalesce(system_identifier, ${systemIdentifier}),
             timeline = coalesce(timeline, ${timeline})
       WHERE id = 1 AND epoch = ${stored.epoch}`;
  }
  return false;
}

function differs(stored: string | null, seen: string | null): boolean {
  return stored !== null && seen !== null && stored !== seen;
}

/**
 * Begins a new epoch, unless somebody else did since `from` was read. Every cursor expires.
 *
 * @param why for the log.
 */
export async function changeEpoch(db: Db | Tx, { from, why }: { from: string; why: string }): Promise<void> {
  const epoch = randomUUID().replaceAll("-", "");
  // Raw because the new identity is the database's to say, in the same statement.
  const changed = await db.$executeRaw`
    UPDATE instance
       SET epoch = ${epoch}, system_identifier = b.system_identifier, timeline = b.timeline
      FROM change_feed_bound() b
     WHERE id = 1 AND epoch = ${from}`;
  if (changed === 1) log.warn({ from, epoch, why }, "change feed: a new epoch began, every cursor expires");
}
