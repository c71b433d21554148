import type { Principal } from "@/server/access/principal";
import type { Db } from "@/server/db";
import { env } from "@/server/env";
import { AppError } from "@/server/errors";
import { BURST_SECONDS, takeBlock } from "./shared-buckets";

/**
 * A process takes permits out of the shared bucket in blocks of this part of it and hands them out from
 * memory: at full speed one statement for 150 requests, and none for a client that waits or is idle.
 */
const BLOCK_PART = 20;
/** Permits not used for this long are forgotten; by then the bucket they came from is full again. */
const HOLD_MS = BURST_SECONDS * 1000;
/** Beyond this many, lots that are forgotten anyway are dropped. */
const MAX_LOTS = 10_000;

/** What this process holds for one token or person. Times are of a clock that never goes back. */
type Lot = {
  permits: number;
  /** What the shared bucket still had when the last block came. */
  left: number;
  takenAt: number;
  /** Until then the bucket is known to be empty. */
  refusedUntil: number;
  /** A block that is on its way; parallel requests wait for the same one. */
  coming: Promise<void> | null;
};

// On globalThis because Next bundles routes apart: REST, GraphQL and tRPC draw from one lot.
const shared = globalThis as typeof globalThis & { __tidemarkLots?: Map<string, Lot> };

/**
 * Counts one request of a token or person. All processes together let TIDEMARK_RATE_LIMIT a second
 * through and ten times that in a burst, give or take the two blocks that each process may hold.
 *
 * @returns nothing when this process holds a permit, which is the rule; else a promise to wait for.
 * @throws AppError rate_limited with `retryAfterSeconds`, here or from the promise.
 */
export function enforceRateLimit(db: Db, principal: Principal): Promise<void> | undefined {
  const perSecond = env().TIDEMARK_RATE_LIMIT;
  const lot = lotOf(principal);
  const now = performance.now();
  if (lot.permits > 0 && now - lot.takenAt > HOLD_MS) lot.permits = 0;
  if (lot.permits < 1) {
    if (now < lot.refusedUntil) throw tooMany(lot, perSecond, now);
    return waitForPermit(db, principal, lot, perSecond);
  }
  lot.permits -= 1;
  // The next block is asked for before this one is used up, so that nobody waits for it.
  if (lot.permits < blockSize(perSecond) / 2 && !lot.coming && now >= lot.refusedUntil) {
    order(db, principal, lot, perSecond).catch(() => {}); // who needs it asks again, and hears why
  }
  return undefined;
}

/**
 * Of draft-ietf-httpapi-ratelimit-headers-06: the burst, what is left of it as far as this process knows,
 * and how many seconds until all of it is back.
 */
export function rateLimitHeaders(principal: Principal): Record<string, string> {
  const perSecond = env().TIDEMARK_RATE_LIMIT;
  const limit = perSecond * BURST_SECONDS;
  const { left, permits, takenAt } = lotOf(principal);
  const refilled = left + ((performance.now() - takenAt) / 1000) * perSecond;
  const remaining = Math.max(0, Math.floor(Math.min(limit, permits + refilled)));
  return {
    "ratelimit-limit": String(limit),
    "ratelimit-policy": `${limit};w=${BURST_SECONDS}`,
    "ratelimit-remaining": String(remaining),
    "ratelimit-reset": String(Math.ceil((limit - remaining) / perSecond)),
  };
}

async function waitForPermit(db: Db, principal: Principal, lot: Lot, perSecond: number): Promise<void> {
  for (;;) {
    // More wait than a block has: whoever finds it used up asks for another.
    await (lot.coming ?? order(db, principal, lot, perSecond));
    const now = performance.now();
    if (lot.permits >= 1) {
      lot.permits -= 1;
      return;
    }
    if (now < lot.refusedUntil) throw tooMany(lot, perSecond, now);
  }
}

function order(db: Db, principal: Principal, lot: Lot, perSecond: number): Promise<void> {
  const coming = takeBlock(db, keyOf(principal), { count: blockSize(perSecond), perSecond })
    .then(({ granted, left, waitMs }) => {
      const now = performance.now();
      Object.assign(lot, { permits: lot.permits + granted, left, takenAt: now });
      if (granted === 0) lot.refusedUntil = now + Math.max(1, waitMs);
    })
    .finally(() => {
      lot.coming = null;
    });
  lot.coming = coming;
  return coming;
}

function blockSize(perSecond: number): number {
  return Math.max(1, Math.floor((perSecond * BURST_SECONDS) / BLOCK_PART));
}

function tooMany(lot: Lot, perSecond: number, now: number): AppError {
  const retryAfterSeconds = Math.max(1, Math.ceil((lot.refusedUntil - now) / 1000));
  return new AppError(
    "rate_limited",
    `Too many requests: at most ${perSecond} a second. Try again in ${retryAfterSeconds} s.`,
    { retryAfterSeconds },
  );
}

function keyOf(principal: Principal): string {
  return principal.tokenId ?? principal.userId ?? "";
}

function lotOf(principal: Principal): Lot {
  shared.__tidemarkLots ??= new Map();
  const key = keyOf(principal);
  let lot = shared.__tidemarkLots.get(key);
  if (!lot) {
    if (shared.__tidemarkLots.size >= MAX_LOTS) dropForgotten(shared.__tidemarkLots);
    lot = {
      permits: 0,
      left: env().TIDEMARK_RATE_LIMIT * BURST_SECONDS,
      takenAt: performance.now(),
      refusedUntil: 0,
      coming: null,
    };
    shared.__tidemarkLots.set(key, lot);
  }
  return lot;
}

function dropForgotten(lots: Map<string, Lot>): void {
  const now = performance.now();
  for (const [key, lot] of lots) {
    if (now - lot.takenAt > HOLD_MS && !lot.coming) lots.delete(key);
  }
}
