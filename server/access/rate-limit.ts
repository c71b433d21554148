import type { Principal } from "@/server/access/principal";
import { env } from "@/server/env";
import { AppError } from "@/server/errors";

/** A burst may be this many seconds' worth of requests. */
const BURST_SECONDS = 10;
/** Beyond this many buckets the full ones are dropped: a full bucket is what a newcomer gets anyway. */
const MAX_BUCKETS = 10_000;

type Bucket = { tokens: number; filledAt: number };

// On globalThis because Next bundles routes apart: REST and tRPC draw from one bucket.
const shared = globalThis as typeof globalThis & { __tidemarkBuckets?: Map<string, Bucket> };

/**
 * Counts one request of a token or person, per process.
 *
 * @throws AppError rate_limited with `retryAfterSeconds`, when TIDEMARK_RATE_LIMIT requests a second
 *   and a burst of ten times that are used up.
 */
export function enforceRateLimit(principal: Principal): void {
  shared.__tidemarkBuckets ??= new Map();
  const key = principal.tokenId ?? principal.userId ?? "";
  const retryAfterSeconds = takeFromBucket(shared.__tidemarkBuckets, key, {
    perSecond: env().TIDEMARK_RATE_LIMIT,
    now: performance.now(),
  });
  if (retryAfterSeconds === 0) return;
  throw new AppError(
    "rate_limited",
    `Too many requests: at most ${env().TIDEMARK_RATE_LIMIT} a second. Try again in ${retryAfterSeconds} s.`,
    { retryAfterSeconds },
  );
}

/**
 * A token bucket.
 *
 * @param now Milliseconds on a clock that never goes back.
 * @returns 0 when the request may pass, else whole seconds until one may.
 */
export function takeFromBucket(
  buckets: Map<string, Bucket>,
  key: string,
  { perSecond, now }: { perSecond: number; now: number },
): number {
  const capacity = perSecond * BURST_SECONDS;
  const bucket = buckets.get(key) ?? { tokens: capacity, filledAt: now };
  bucket.tokens = Math.min(capacity, bucket.tokens + ((now - bucket.filledAt) / 1000) * perSecond);
  bucket.filledAt = now;
  if (!buckets.has(key)) {
    if (buckets.size >= MAX_BUCKETS) dropFull(buckets, perSecond, now);
    buckets.set(key, bucket);
  }
  if (bucket.tokens < 1) return Math.ceil((1 - bucket.tokens) / perSecond);
  bucket.tokens -= 1;
  return 0;
}

function dropFull(buckets: Map<string, Bucket>, perSecond: number, now: number): void {
  for (const [key, { tokens, filledAt }] of buckets) {
    if (tokens + ((now - filledAt) / 1000) * perSecond >= perSecond * BURST_SECONDS) buckets.delete(key);
  }
}
