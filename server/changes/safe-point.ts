import type { Db } from "@/server/db";
import { AppError } from "@/server/errors";
import { readRows } from "./read-rows";

/**
 * The safe point: how far the change feed can be served without ever missing a change.
 *
 * A sequence is not commit-ordered: a transaction that took 101 may commit after one that took 102.
 * So every writing transaction takes, before its first nextval, a shared advisory lock whose key is a
 * lower bound of every seq it will get (trigger `documents_hold_safe_point`). A reader must look in
 * this order, each in a statement (and so a snapshot) of its own:
 *
 *   1. `last_value`: a writer that appears later gets higher numbers than this.
 *   2. the lowest such lock: an open writer's numbers are at or above its key.
 *   3. only then rows up to min(last_value, lowest − 1): whoever released a lock before step 2 had
 *      already made its rows visible.
 *
 * In one statement the snapshot of (3) could be older than the lock table seen in (2), and a commit
 * in between would be skipped for ever.
 *
 * Each guard was broken once: without the writers' lock, with rows read before the bound, and with
 * `last_value` as the place after a page, "every follower's mirror equals the table" (follow.test.ts) and
 * the model (test/model/change-feed.model.test.ts) fail; with the bound as that place, crash.test.ts does.
 *
 * Only on the primary, and only READ COMMITTED. Nobody may use a bound that was read before it asked,
 * registered or was woken, so nothing here remembers one. A page that was read ahead (read-ahead.ts) is given
 * out only when a new reading would bring the same.
 */

/** Steps 1 and 2: rows with `seq <= bound` are final, whatever is still open. Never hand it out. */
export type Bound = {
  bound: bigint;
  /** Of the sequence. A cursor that came in before this was read and is above it proves a rewind. */
  lastValue: bigint;
  identity: ClusterIdentity;
};

/** What this cluster is; null where it does not say (identity.ts). */
export type ClusterIdentity = { systemIdentifier: string | null; timeline: string | null };

const READ_BOUND = `/* prepared */
  SELECT last_value, bound, system_identifier, timeline, in_recovery FROM change_feed_bound()`;

/** What change_feed_bound() answers. */
export type BoundRow = [
  lastValue: string,
  bound: string,
  systemIdentifier: string | null,
  timeline: string | null,
  inRecovery: string,
];

/**
 * Steps 1 and 2, in one exchange: the function runs them as two statements in this order.
 *
 * @throws AppError unavailable on a standby: locks are not replicated, so it cannot know what is open.
 */
export async function readBound(db: Db): Promise<Bound> {
  const [row] = await readRows<BoundRow>(db, READ_BOUND, []);
  if (!row) throw new Error("change_feed_bound() gave no row");
  return toBound(row);
}

/** @throws AppError unavailable on a standby. */
export function toBound([lastValue, bound, systemIdentifier, timeline, inRecovery]: BoundRow): Bound {
  if (inRecovery === "true") {
    throw new AppError(
      "unavailable",
      "The database is a standby, from which changes cannot be followed. Point DATABASE_URL at the primary.",
      { retryAfterSeconds: 5 },
    );
  }
  return { bound: BigInt(bound), lastValue: BigInt(lastValue), identity: { systemIdentifier, timeline } };
}

const READ_POSITION = `/* prepared */
  SELECT coalesce(max(seq), 0)::text FROM documents WHERE workspace_id = $1::int AND seq <= $2::bigint`;

/**
 * The highest committed seq of a workspace that may be served; 0 when there is none.
 *
 * A rolled-back nextval is not durable (after a crash `last_value` can go back), so the bound itself
 * must not be stored or handed out; a committed row's seq may.
 */
export async function readSafePoint(db: Db, workspaceId: number): Promise<bigint> {
  const { bound } = await readBound(db);
  const [row] = await readRows<[string]>(db, READ_POSITION, [workspaceId, bound]);
  return BigInt(row?.[0] ?? 0);
}
