import type { Db } from "@/server/db";
import { repeatBatches } from "@/server/repeat-batches";

const BATCH = 1_000;
/** Finished deliveries are kept for so long, or for as long as the workspace keeps runs if that is shorter … */
const KEPT_DAYS = 30;
/** … and no more of one endpoint than these. */
const KEPT_OF_ONE = 10_000;

/**
 * Keeps the delivery log bounded: old finished deliveries go, and of an endpoint with very many the oldest.
 * What waits at an endpoint that stays disabled is given up when its day is over.
 *
 * @returns how many went or were given up.
 */
export async function expireDeliveries(db: Db, { signal }: { signal?: AbortSignal } = {}): Promise<number> {
  let total = 0;
  for (const step of [giveUpStale, dropOld, dropSurplus]) {
    total += await repeatBatches(BATCH, signal, () => step(db));
  }
  return total;
}

// Raw because retention is the workspace's own and because Prisma knows no LIMIT here.

async function giveUpStale(db: Db): Promise<number> {
  const attempt = JSON.stringify({
    ms: 0,
    status: null,
    error: {
      code: "not_sent",
      message: "The webhook was disabled until the time for delivering this was over.",
    },
    response: null,
  });
  // A day's grace for what an enabled endpoint asked to get later (Retry-After).
  return db.$executeRaw`
    UPDATE webhook_deliveries d
       SET state = 'failed', next_attempt_at = NULL, lease_until = NULL, finished_at = clock_timestamp(),
           attempts = d.attempts || (${attempt}::jsonb || jsonb_build_object('at', to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')))
     WHERE d.ctid = ANY(ARRAY(
       SELECT w.ctid FROM webhook_deliveries w
         JOIN webhook_endpoints e ON e.workspace_id = w.workspace_id AND e.id = w.endpoint_id
        WHERE w.state = 'pending' AND (w.lease_until IS NULL OR w.lease_until <= clock_timestamp())
          AND w.give_up_at < clock_timestamp()
          AND (e.state = 'disabled' OR w.give_up_at < clock_timestamp() - interval '25 hours')
        LIMIT ${BATCH}::int))`;
}

async function dropOld(db: Db): Promise<number> {
  return db.$executeRaw`
    DELETE FROM webhook_deliveries
     WHERE ctid = ANY(ARRAY(
       SELECT d.ctid FROM webhook_deliveries d JOIN workspaces w ON w.id = d.workspace_id
        WHERE d.state <> 'pending'
          AND d.finished_at < clock_timestamp() - make_interval(days => least(${KEPT_DAYS}::int, w.run_retention_days))
        LIMIT ${BATCH}::int))`;
}

async function dropSurplus(db: Db): Promise<number> {
  return db.$executeRaw`
    DELETE FROM webhook_deliveries
     WHERE ctid = ANY(ARRAY(
       SELECT d.ctid FROM webhook_endpoints e
         CROSS JOIN LATERAL (
           SELECT n.id FROM webhook_deliveries n
            WHERE n.workspace_id = e.workspace_id AND n.endpoint_id = e.id
            ORDER BY n.id DESC OFFSET ${KEPT_OF_ONE}::int LIMIT 1) AS oldest
         JOIN webhook_deliveries d
           ON d.workspace_id = e.workspace_id AND d.endpoint_id = e.id AND d.id <= oldest.id
        WHERE d.state <> 'pending'
        LIMIT ${BATCH}::int))`;
}
