import type { Caller } from "@/server/actor";
import type { Db } from "@/server/db";
import { log } from "@/server/log";
import type { Place, ReadPage } from "./read-changes";
import type { ChangeFilter } from "./schema";

/** A position is written at most this often, whatever a consumer does. */
const WRITE_EVERY_MS = 10_000;
/** Names are given by clients; one that makes up a new one with every call must not fill the table. */
const MAX_CONSUMERS = 1_000;
const MAX_REMEMBERED = 10_000;

const shared = globalThis as typeof globalThis & { __tidemarkConsumers?: WeakMap<Db, Map<string, number>> };

/**
 * Keeps the position that a named consumer presented: what it certainly has, not what it is being sent.
 * Without a cursor that is nothing; with `now` it is where it begins. A failure is logged, no more: a
 * nicety of the list must not turn a pull away.
 */
export async function noteConsumer(
  db: Db,
  { workspaceId, actor }: Caller,
  { name, place, filter, page }: { name: string; place: Place; filter: ChangeFilter; page: ReadPage },
): Promise<void> {
  const key = `${workspaceId}:${name}`;
  const writtenAt = writtenOf(db);
  const now = performance.now();
  if (now - (writtenAt.get(key) ?? -WRITE_EVERY_MS) < WRITE_EVERY_MS) return;
  if (writtenAt.size > MAX_REMEMBERED) writtenAt.clear();
  writtenAt.set(key, now);
  const { seq, snapshotBound } =
    place.at === "cursor"
      ? place
      : { seq: place.at === "now" ? page.position.seq : 0n, snapshotBound: page.position.snapshotBound };
  try {
    // Raw because the clock is the database's: other processes write the same row, ten seconds in between.
    await db.$executeRaw`
      INSERT INTO consumers AS c (workspace_id, name, epoch, position, snapshot_bound, source_id, feed_id, actor)
      SELECT ${workspaceId}::int, ${name}, ${page.head.epoch}, ${seq}::bigint, ${snapshotBound}::bigint,
             ${filter.sourceId ?? null}, ${filter.feedId ?? null}, ${JSON.stringify(actor)}::jsonb
       WHERE (SELECT count(*) FROM consumers o WHERE o.workspace_id = ${workspaceId}::int) < ${MAX_CONSUMERS}::int
          OR EXISTS (SELECT FROM consumers o WHERE o.workspace_id = ${workspaceId}::int AND o.name = ${name})
      ON CONFLICT (workspace_id, name) DO UPDATE
         SET epoch = excluded.epoch, position = excluded.position, snapshot_bound = excluded.snapshot_bound,
             source_id = excluded.source_id, feed_id = excluded.feed_id, actor = excluded.actor, seen_at = now()
       WHERE c.seen_at <= now() - make_interval(secs => ${WRITE_EVERY_MS / 1000}::int)`;
  } catch (error) {
    log.warn({ err: error, consumer: name }, "a consumer's position could not be kept");
  }
}

/** After a delete the next pull writes again, and does not wait. */
export function forgetConsumer(db: Db, workspaceId: number, name: string): void {
  writtenOf(db).delete(`${workspaceId}:${name}`);
}

function writtenOf(db: Db): Map<string, number> {
  shared.__tidemarkConsumers ??= new WeakMap();
  let written = shared.__tidemarkConsumers.get(db);
  if (!written) {
    written = new Map();
    shared.__tidemarkConsumers.set(db, written);
  }
  return written;
}
