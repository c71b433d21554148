import { adapters } from "@/adapters/registry";
import { type Db, Prisma } from "@/server/db";
import { FEED_STATUS, FEEDS } from "@/server/feeds/feed-conditions";
import { measureDueFeeds } from "@/server/jobs/claim-due-feeds";
import { ShortMemory } from "@/server/short-memory";

/** What stands in the database rather than in a process: the same whichever process is asked. */
export type StoreFacts = {
  feeds: Record<string, number>;
  due: { count: number; seconds: number };
  queued: number;
  running: number;
  /** Running, but without a sign of life for longer than their lease. */
  lost: number;
  deliveries: { pending: number; seconds: number };
};

/** However many ask, the database is asked this often; where metrics are public anybody may. */
const BELIEVED_MS = 5_000;

const memories = new WeakMap<Db, ShortMemory<Promise<StoreFacts>>>();

/** @throws when the database cannot be asked. */
export function readStore(db: Db): Promise<StoreFacts> {
  let memory = memories.get(db);
  if (!memory) {
    memory = new ShortMemory({ ms: BELIEVED_MS, entries: 1 });
    memories.set(db, memory);
  }
  const known = memory.recall("");
  if (known) return known.value;
  const facts = ask(db);
  memory.remember("", facts, performance.now());
  facts.catch(() => memory.forget(""));
  return facts;
}

async function ask(db: Db): Promise<StoreFacts> {
  const types = adapters.map(({ type }) => type);
  // Raw: counted by the database, over all workspaces; the runs and deliveries by their partial indexes.
  const [feeds, due, [runs], [deliveries]] = await Promise.all([
    db.$queryRaw<{ status: string; count: number }[]>`
      SELECT ${FEED_STATUS} AS status, count(*)::int AS count FROM ${FEEDS} GROUP BY 1`,
    measureDueFeeds(db, types),
    db.$queryRaw<{ queued: number; running: number; lost: number }[]>`
      SELECT count(*) FILTER (WHERE status = 'queued')::int AS queued,
             count(*) FILTER (WHERE status = 'running')::int AS running,
             count(*) FILTER (WHERE status = 'running' AND lease_expires_at < clock_timestamp())::int AS lost
        FROM sync_runs WHERE status IN ('queued', 'running')`,
    db.$queryRaw<{ pending: number; seconds: number }[]>(Prisma.sql`
      SELECT count(*)::int AS pending,
             greatest(0, coalesce(extract(epoch FROM clock_timestamp() - min(d.next_attempt_at)
               FILTER (WHERE e.state = 'enabled' AND (e.waits_until IS NULL OR e.waits_until <= clock_timestamp()))), 0))::float8 AS seconds
        FROM webhook_deliveries d
        JOIN webhook_endpoints e ON e.workspace_id = d.workspace_id AND e.id = d.endpoint_id
       WHERE d.state = 'pending'`),
  ]);
  return {
    feeds: Object.fromEntries(feeds.map(({ status, count }) => [status, count])),
    due,
    ...(runs ?? { queued: 0, running: 0, lost: 0 }),
    deliveries: deliveries ?? { pending: 0, seconds: 0 },
  };
}
