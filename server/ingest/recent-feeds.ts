import type pg from "pg";
import { ShortMemory } from "@/server/short-memory";
import type { LockedFeed } from "./lock-feed";

/** Also how long the database's clock is taken from its last reading. */
const BELIEVED_MS = 5_000;
const REMEMBERED_FEEDS = 10_000;

// On globalThis because Next bundles routes apart.
const shared = globalThis as typeof globalThis & {
  __tidemarkFeeds?: WeakMap<pg.Pool, ShortMemory<LockedFeed>>;
};

/**
 * Feeds as this process last read or wrote them, so that one push after another need not read its feed
 * first. Others write too, so what is remembered is only ever a guess: `ingest_push` compares it under
 * the feed's lock, and a wrong one costs a call that writes nothing.
 */
export function recentFeeds(pool: pg.Pool) {
  shared.__tidemarkFeeds ??= new WeakMap();
  let memory = shared.__tidemarkFeeds.get(pool);
  if (!memory) {
    memory = new ShortMemory({ ms: BELIEVED_MS, entries: REMEMBERED_FEEDS });
    shared.__tidemarkFeeds.set(pool, memory);
  }
  return memory;
}
