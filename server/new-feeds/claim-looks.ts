import type { Caller } from "@/server/actor";
import type { Db } from "@/server/db";
import { inTransaction } from "@/server/transaction";

/** Longer than the longest look (look-for-feeds.ts), so that only a dead process loses its claim. */
const LEASE_SECONDS = 180;

/** The right to look for a source's new feeds, until the lease runs out or the address changes. */
export type ClaimedLook = { workspaceId: number; sourceId: string; attempt: number };

/**
 * Leases looks that are due. A rival process takes the next ones instead of waiting for ours; what a dead
 * process left is due again when its lease runs out.
 *
 * @param types adapter types whose discovery may list several feeds.
 */
export async function claimDueLooks(
  db: Db,
  { types, limit }: { types: readonly string[]; limit: number },
): Promise<ClaimedLook[]> {
  if (types.length === 0) return [];
  // Raw for SKIP LOCKED, and asked across all workspaces.
  return inTransaction(
    db,
    (tx) => tx.$queryRaw<ClaimedLook[]>`
      WITH due AS (
        SELECT workspace_id, id FROM sources
         WHERE adds_new_feeds AND state = 'active' AND next_look_at <= clock_timestamp()
           AND runs_on = 'cloud' AND type = ANY(${[...types]}::text[])
           AND (look_lease_until IS NULL OR look_lease_until <= clock_timestamp())
         ORDER BY next_look_at
         LIMIT ${limit}::int
           FOR UPDATE SKIP LOCKED
      )
      UPDATE sources s
         SET look_attempt = s.look_attempt + 1,
             look_lease_until = clock_timestamp() + make_interval(secs => ${LEASE_SECONDS}::int)
        FROM due WHERE s.workspace_id = due.workspace_id AND s.id = due.id
      RETURNING s.workspace_id AS "workspaceId", s.id AS "sourceId", s.look_attempt AS attempt`,
  );
}

/** Leases one look that a person asked for. @returns null while another is under way. */
export async function claimLook(
  db: Db,
  { workspaceId }: Caller,
  sourceId: string,
): Promise<ClaimedLook | null> {
  const [claimed] = await db.$queryRaw<ClaimedLook[]>`
    UPDATE sources
       SET look_attempt = look_attempt + 1,
           look_lease_until = clock_timestamp() + make_interval(secs => ${LEASE_SECONDS}::int)
     WHERE workspace_id = ${workspaceId}::int AND id = ${sourceId} AND state = 'active'
       AND (look_lease_until IS NULL OR look_lease_until <= clock_timestamp())
    RETURNING workspace_id AS "workspaceId", id AS "sourceId", look_attempt AS attempt`;
  return claimed ?? null;
}

/** Gives a claim back without a result, so that another process goes on at once. */
export async function releaseLook(db: Db, { workspaceId, sourceId, attempt }: ClaimedLook): Promise<void> {
  await db.source.updateMany({
    where: { workspaceId, id: sourceId, lookAttempt: attempt },
    data: { lookLeaseUntil: null },
  });
}
