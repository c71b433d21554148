import type { Principal } from "@/server/access/principal";
import type { Db } from "@/server/db";
import { AppError } from "@/server/errors";
import { notePull } from "@/server/metrics/note-pull";
import type { SleepEnd } from "./lookout";
import { type ReadPage, readChanges, type Walk, walkOn } from "./read-changes";
import { type Seat, waitersFor } from "./waiters";

/** A page, and how often the lookout had been called when it was read. */
export type Look = { walk: Walk; page: ReadPage; calls: number };

/**
 * One page; with nothing to send, it waits for something.
 *
 * @param waitMs 0: answer at once. The wait ends with an ordinary empty page: when it has lasted so long,
 *   when the server stops, when the client went away.
 * @throws AppError as readChanges; unauthenticated when access ended meanwhile; rate_limited when too
 *   many wait already and there is nothing to send at once.
 */
export async function awaitChanges(
  db: Db,
  principal: Principal,
  walk: Walk,
  { waitMs, signal }: { waitMs: number; signal?: AbortSignal },
): Promise<{ walk: Walk; page: ReadPage }> {
  if (waitMs === 0) return firstLook(db, null, walk);
  let seat: Seat | null;
  try {
    // Before the look: what is committed after it will be called out to this seat.
    seat = waitersFor(db).take(principal);
  } catch (refusal) {
    const only = await firstLook(db, null, walk);
    if (isEmpty(only.page)) throw refusal;
    return only;
  }
  if (!seat) return firstLook(db, null, walk);
  try {
    return await awaitOnSeat(db, seat, walk, { waitMs, signal });
  } finally {
    seat.leave();
  }
}

async function awaitOnSeat(
  db: Db,
  seat: Seat,
  walk: Walk,
  { waitMs, signal }: { waitMs: number; signal?: AbortSignal },
): Promise<Look> {
  const deadline = performance.now() + waitMs;
  let current = await firstLook(db, seat, walk);
  while (isEmpty(current.page)) {
    const next = await nextLook(db, seat, current, { ms: deadline - performance.now(), signal });
    if (next.end === "revoked") throw accessEnded();
    current = next.look;
    if (next.end !== null) break;
  }
  return current;
}

function isEmpty({ rows, hasMore }: ReadPage): boolean {
  return rows.length === 0 && !hasMore;
}

/** The look at the place that a client presents. */
export async function firstLook(db: Db, seat: Seat | null, walk: Walk): Promise<Look> {
  const first = await look(db, seat, walk);
  notePull(walk.place, first.page);
  return first;
}

export async function look(db: Db, seat: Seat | null, walk: Walk): Promise<Look> {
  const calls = seat?.calls() ?? 0;
  return { walk, page: await readChanges(db, walk), calls };
}

/**
 * What comes after a look: the next page, now or when there is something in it.
 *
 * @returns `end` says why nothing came: then the page is empty, but its place may have moved on over what
 *   the filter leaves out. null: a page, which may be empty all the same.
 */
export async function nextLook(
  db: Db,
  seat: Seat,
  last: Look,
  limits: { ms: number; signal?: AbortSignal },
): Promise<{ look: Look; end: SleepEnd | null }> {
  const walk = walkOn(last.walk, last.page);
  if (last.page.hasMore) return { look: await look(db, seat, walk), end: null };
  const { awoken, walk: moved } = await seat.sleep(walk, last, limits);
  if (awoken === "look") return { look: await look(db, seat, moved), end: null };
  if (typeof awoken === "object") return { look: { walk: moved, ...awoken }, end: null };
  const { seq, snapshotBound } = moved.place;
  const page = { ...last.page, rows: [], position: { seq, snapshotBound } };
  return { look: { walk: moved, page, calls: last.calls }, end: awoken };
}

function accessEnded(): AppError {
  return new AppError(
    "unauthenticated",
    "Access ended while this request was waiting: the token was revoked or has expired.",
  );
}
