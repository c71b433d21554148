import type { Db } from "@/server/db";
import { retrying } from "@/server/transaction";

/** Well over the 15 seconds of an attempt, so that only a dead process loses its claim. */
export const LEASE_SECONDS = 60;
/** Attempts under way to one endpoint, over all processes. A slow one holds no more places than these. */
const PER_ENDPOINT = 2;

/** The right to make one attempt, until the lease runs out. */
export type Claim = { workspaceId: number; id: string; endpointId: string; claim: number };

/**
 * Leases deliveries that are due, endpoint by endpoint, across all processes at most two of each at a time.
 * What a dead process left is due again when its lease runs out.
 *
 * Rivals that look at the same time choose the same rows, because those under way are counted in the
 * statement that chooses: whoever comes second finds them leased and gets none, so the bound holds too.
 */
export async function claimDeliveries(db: Db, { limit }: { limit: number }): Promise<Claim[]> {
  if (limit <= 0) return [];
  // Raw for the order, and asked across all workspaces. Two that meet in another order deadlock and try again.
  return retrying(
    () => db.$queryRaw<Claim[]>`
      WITH due AS (
        SELECT d.workspace_id, d.id
          FROM webhook_endpoints e
          CROSS JOIN LATERAL (
            SELECT count(*)::int AS sending FROM webhook_deliveries b
             WHERE b.workspace_id = e.workspace_id AND b.endpoint_id = e.id AND b.state = 'pending'
               AND b.lease_until > clock_timestamp()) AS busy
          CROSS JOIN LATERAL (
            SELECT q.workspace_id, q.id, q.next_attempt_at FROM webhook_deliveries q
             WHERE q.workspace_id = e.workspace_id AND q.endpoint_id = e.id AND q.state = 'pending'
               AND q.next_attempt_at <= clock_timestamp()
               AND (q.lease_until IS NULL OR q.lease_until <= clock_timestamp())
             ORDER BY q.next_attempt_at, q.id
             LIMIT greatest(0, ${PER_ENDPOINT}::int - busy.sending)) AS d
         WHERE e.state = 'enabled' AND (e.waits_until IS NULL OR e.waits_until <= clock_timestamp())
         ORDER BY d.next_attempt_at, d.id
         LIMIT ${limit}::int
      )
      UPDATE webhook_deliveries w
         SET claim = w.claim + 1, lease_until = clock_timestamp() + make_interval(secs => ${LEASE_SECONDS}::int)
        FROM due
       WHERE w.workspace_id = due.workspace_id AND w.id = due.id AND w.state = 'pending'
         AND (w.lease_until IS NULL OR w.lease_until <= clock_timestamp())
      RETURNING w.workspace_id AS "workspaceId", w.id, w.endpoint_id AS "endpointId", w.claim`,
  );
}

/**
 * Leases one delivery that somebody waits for, due or not, its endpoint enabled or not.
 *
 * @returns null while another process sends it, and when it is finished.
 */
export async function claimDelivery(
  db: Db,
  { workspaceId, id }: { workspaceId: number; id: string },
): Promise<Claim | null> {
  const [claim] = await db.$queryRaw<Claim[]>`
    UPDATE webhook_deliveries
       SET claim = claim + 1, lease_until = clock_timestamp() + make_interval(secs => ${LEASE_SECONDS}::int)
     WHERE workspace_id = ${workspaceId}::int AND id = ${id} AND state = 'pending'
       AND (lease_until IS NULL OR lease_until <= clock_timestamp())
    RETURNING workspace_id AS "workspaceId", id, endpoint_id AS "endpointId", claim`;
  return claim ?? null;
}

/** Gives a claim back without a result, so that another process goes on at once. */
export async function releaseDelivery(db: Db, { workspaceId, id, claim }: Claim): Promise<void> {
  await db.webhookDelivery.updateMany({
    where: { workspaceId, id, claim, state: "pending" },
    data: { leaseUntil: null },
  });
}
