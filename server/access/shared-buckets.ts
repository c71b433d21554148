import { RateLimiterMemory, RateLimiterPostgres, RateLimiterRes } from "rate-limiter-flexible";
import type { Db } from "@/server/db";
import { log } from "@/server/log";

/** A bucket holds this many seconds' worth of requests: the burst. */
export const BURST_SECONDS = 10;

/** What a bucket answered: what is in it now, and whether the permits were taken from it. */
type Answered = { permits: number; isTaken: boolean };

/**
 * One token bucket per key in the database, so that all processes together let no more through than one
 * would. The library's store for Postgres with a statement of ours: its own windows do not refill steadily,
 * they are empty until they are full again.
 */
class SharedBuckets extends RateLimiterPostgres {
  readonly #db: Db;
  readonly #perSecond: number;

  constructor(db: Db, perSecond: number) {
    const points = perSecond * BURST_SECONDS;
    super({
      storeClient: db,
      storeType: "pool", // asked for; _upsert below speaks to it alone
      keyPrefix: "",
      tableName: "rate_buckets",
      tableCreated: true,
      clearExpiredByTimeout: false, // dropFullBuckets
      points,
      duration: BURST_SECONDS,
      // Without the database nothing can be asked of the store either; it is not this that refuses then.
      insuranceLimiter: new RateLimiterMemory({ points, duration: BURST_SECONDS }),
    });
    this.#db = db;
    this.#perSecond = perSecond;
  }

  /** Takes `count` permits or, where there are fewer, none. Called by `consume`. */
  async _upsert(key: string, count: number): Promise<Answered> {
    try {
      // One statement, so that a rival waits for the row and then sees what we took. clock_timestamp and
      // not now(): the rival's transaction may have begun before ours.
      const [taken] = await this.#db.$queryRaw<{ permits: number }[]>`
        INSERT INTO rate_buckets AS b (key, permits, filled_at)
        VALUES (${key}, ${this.points - count}::float8, clock_timestamp())
        ON CONFLICT (key) DO UPDATE
           SET permits = least(${this.points}::float8, b.permits + ${this.#perSecond}::float8
                           * greatest(0, extract(epoch FROM clock_timestamp() - b.filled_at))) - ${count}::float8,
               filled_at = clock_timestamp()
         WHERE least(${this.points}::float8, b.permits + ${this.#perSecond}::float8
                 * greatest(0, extract(epoch FROM clock_timestamp() - b.filled_at))) >= ${count}::float8
        RETURNING permits`;
      if (taken) return { permits: taken.permits, isTaken: true };
      return { permits: await this.#readPermits(key), isTaken: false };
    } catch (error) {
      log.warn({ err: error }, "could not count a request in the database, counted in this process instead");
      throw error;
    }
  }

  async #readPermits(key: string): Promise<number> {
    const [row] = await this.#db.$queryRaw<{ permits: number }[]>`
      SELECT least(${this.points}::float8, permits + ${this.#perSecond}::float8
               * greatest(0, extract(epoch FROM clock_timestamp() - filled_at))) AS permits
        FROM rate_buckets WHERE key = ${key}`;
    return row?.permits ?? this.points;
  }

  /** In the library's words: more points consumed than there are means refused. */
  _getRateLimiterRes(_key: string, _count: number, { permits, isTaken }: Answered): RateLimiterRes {
    const left = Math.floor(permits);
    if (isTaken) return new RateLimiterRes(left, 0, this.points - left);
    const msUntilOne = Math.max(1, ((1 - Math.min(1, permits)) / this.#perSecond) * 1000);
    return new RateLimiterRes(left, Math.ceil(msUntilOne), this.points + 1);
  }
}

/** What was handed out, what the bucket still has, and how long until there is one when there is none. */
export type Block = { granted: number; left: number; waitMs: number };

const shared = globalThis as typeof globalThis & {
  __tidemarkBuckets?: WeakMap<Db, Map<number, SharedBuckets>>;
};

/** Takes up to `count` permits out of the key's bucket. `granted` is 0 when it is empty. */
export async function takeBlock(
  db: Db,
  key: string,
  { count, perSecond }: { count: number; perSecond: number },
): Promise<Block> {
  const buckets = bucketsOf(db, perSecond);
  const taken = await tryToTake(buckets, key, count);
  if (taken.granted > 0 || taken.left < 1) return taken;
  // Less than a block is left: all of that, unless a rival was faster.
  return tryToTake(buckets, key, taken.left);
}

async function tryToTake(buckets: SharedBuckets, key: string, count: number): Promise<Block> {
  try {
    const { remainingPoints } = await buckets.consume(key, count);
    return { granted: count, left: remainingPoints, waitMs: 0 };
  } catch (refused) {
    if (!(refused instanceof RateLimiterRes)) throw refused;
    return { granted: 0, left: Math.min(refused.remainingPoints, count - 1), waitMs: refused.msBeforeNext };
  }
}

function bucketsOf(db: Db, perSecond: number): SharedBuckets {
  shared.__tidemarkBuckets ??= new WeakMap();
  let byRate = shared.__tidemarkBuckets.get(db);
  if (!byRate) {
    byRate = new Map();
    shared.__tidemarkBuckets.set(db, byRate);
  }
  let buckets = byRate.get(perSecond);
  if (!buckets) {
    buckets = new SharedBuckets(db, perSecond);
    byRate.set(perSecond, buckets);
  }
  return buckets;
}

/** Buckets that have long been full say nothing that a missing one does not. A maintenance task. */
export async function dropFullBuckets(db: Db): Promise<void> {
  await db.$executeRaw`DELETE FROM rate_buckets WHERE filled_at < now() - interval '1 hour'`;
}
