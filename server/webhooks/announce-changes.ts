import { readBound } from "@/server/changes/safe-point";
import type { Db } from "@/server/db";
import { inTransaction } from "@/server/transaction";
import { dashboardUrl } from "./dashboard-url";
import { writeBody } from "./events";
import { addDeliveries } from "./record-event";

/** An endpoint is told of changes at most this often. */
export const ANNOUNCE_SECONDS = 5;

/**
 * Tells endpoints that their workspace's change feed has moved: one `changes.available` for all changes
 * since the last. Writers have no part in it: this looks at the head of those workspaces alone that have
 * an endpoint for it. What was told last stands in the endpoint's row, so a crash tells late and never not.
 *
 * While one of an endpoint's announcements waits to be delivered, no second is written: the newer head is
 * told when that one is through.
 *
 * @returns how many were written.
 */
export async function announceChanges(db: Db): Promise<number> {
  const [wanted] = await db.$queryRaw<object[]>`
    SELECT 1 FROM webhook_endpoints WHERE state = 'enabled' AND 'changes.available' = ANY(events) LIMIT 1`;
  if (!wanted) return 0;
  // The bound first, in a statement of its own: safe-point.ts says why.
  const { bound } = await readBound(db);
  // Raw: asked across all workspaces.
  const moved = await db.$queryRaw<{ workspaceId: number; epoch: string; head: string }[]>`
    SELECT DISTINCT e.workspace_id AS "workspaceId", i.epoch, feed.head::text AS head
      FROM instance i, webhook_endpoints e
      CROSS JOIN LATERAL (
        SELECT coalesce(max(d.seq), 0) AS head FROM documents d
         WHERE d.workspace_id = e.workspace_id AND d.seq <= ${bound}::bigint) AS feed
     WHERE e.state = 'enabled' AND 'changes.available' = ANY(e.events)
       AND (e.changes_at IS NULL OR e.changes_at <= clock_timestamp() - make_interval(secs => ${ANNOUNCE_SECONDS}::int))
       AND (e.changes_epoch IS DISTINCT FROM i.epoch OR e.changes_seq < feed.head)`;
  let written = 0;
  for (const { workspaceId, epoch, head } of moved) {
    written += await announce(db, workspaceId, { epoch, head: BigInt(head) });
  }
  return written;
}

async function announce(
  db: Db,
  workspaceId: number,
  { epoch, head }: { epoch: string; head: bigint },
): Promise<number> {
  const told = await inTransaction(db, async (tx) => {
    // Of two processes one moves the mark; the other then finds it moved.
    const endpoints = await tx.$queryRaw<{ id: string }[]>`
      UPDATE webhook_endpoints e
         SET changes_epoch = ${epoch}, changes_seq = ${head}::bigint, changes_at = clock_timestamp()
       WHERE e.workspace_id = ${workspaceId}::int AND e.state = 'enabled' AND 'changes.available' = ANY(e.events)
         AND (e.changes_epoch IS DISTINCT FROM ${epoch} OR e.changes_seq < ${head}::bigint)
         AND (e.changes_at IS NULL
              OR e.changes_at <= clock_timestamp() - make_interval(secs => ${ANNOUNCE_SECONDS}::int))
         AND NOT EXISTS (
           SELECT 1 FROM webhook_deliveries d
            WHERE d.workspace_id = e.workspace_id AND d.endpoint_id = e.id
              AND d.state = 'pending' AND d.type = 'changes.available')
      RETURNING e.id`;
    if (endpoints.length === 0) return 0;
    const links = { changeFeed: dashboardUrl("/changes") };
    const body = writeBody("changes.available", new Date(), { head: String(head), epoch, links });
    const ids = endpoints.map(({ id }) => id);
    await addDeliveries(tx, workspaceId, ids, { type: "changes.available", body });
    return ids.length;
  });
  return told;
}
