import { setTimeout as delay, setImmediate } from "node:timers/promises";
import type { Db } from "@/server/db";
import { log } from "@/server/log";
import { maxOf, type PlacedWalk, type ReadPage, readChanges, walkOn } from "./read-changes";
import { readTouched, type Touched } from "./read-touched";
import { type Bound, readBound } from "./safe-point";

/** Between looks while a change that is committed waits for an older writer to end. */
const OLDER_WRITER_MS = 20;
/** Between looks under a storm of commits. */
const MIN_SPACING_MS = 10;
/** After a look that failed: the database is away. */
const RETRY_MS = 500;
/** Pages read at once; the rest of the pool is for everybody else. */
const PARALLEL_PAGES = 4;
/** Answers on their way at the same time. */
const WOKEN_AT_ONCE = 16;

/** What ended a sleep: a page to send, or the advice to look for oneself (an error to tell, say). */
export type Awoken = { page: ReadPage; calls: number } | "look";

/** Why a sleep may also end: see waiters.ts. */
export type SleepEnd = "time" | "shutdown" | "revoked" | "gone";

export type Sleeper = {
  /** Stands at a cursor; moves on over what its filter leaves out. */
  walk: PlacedWalk;
  wake(awoken: Awoken): void;
};

/**
 * One process's look at one workspace on behalf of all who wait for its changes. They hold no connection
 * and read nothing until a commit is heard of; then one look says whose filters are concerned, and those
 * at the same place with the same wishes share a page.
 *
 * Nobody is given what was read before it slept: a look takes the sleepers of its beginning, and one who
 * falls asleep after a call it cannot have seen makes the lookout look again.
 */
export class Lookout {
  /** Raised by every call. Read it before looking, hand it to `add`. */
  calls = 0;
  private readonly sleepers = new Set<Sleeper>();
  private isCalled = false;
  private isLooking = false;
  /** Every sleeper has looked within this bound at least; null without sleepers. */
  private seenBound: bigint | null = null;
  /** A committed seq above the bound: an older writer is open. */
  private isHeldBack = false;
  /** The same of those who fell asleep since the present look began, whom it does not serve. */
  private newcomers: { bound: bigint | null; areHeldBack: boolean } = { bound: null, areHeldBack: false };

  constructor(
    private readonly db: Db,
    private readonly workspaceId: number,
  ) {}

  get isEmpty(): boolean {
    return this.sleepers.size === 0;
  }

  /** Something may have been committed. */
  call(): void {
    this.calls += 1;
    this.isCalled = true;
    void this.lookWhileCalled();
  }

  /** The slow look: was there anything that nobody told? Reads no table. */
  callIfMoved({ bound }: Bound): void {
    if (this.seenBound !== null && bound !== this.seenBound) this.call();
  }

  /**
   * @param calls as it was before the sleeper's own last look …
   * @param page … and what that look gave.
   */
  add(sleeper: Sleeper, calls: number, { head, bound }: ReadPage): void {
    this.sleepers.add(sleeper);
    this.seenBound = lowerOf(this.seenBound, bound);
    this.newcomers.bound = lowerOf(this.newcomers.bound, bound);
    if (head.head > bound) this.isHeldBack = this.newcomers.areHeldBack = true;
    if (calls !== this.calls) this.isCalled = true;
    if (this.isCalled || this.isHeldBack) void this.lookWhileCalled();
  }

  remove(sleeper: Sleeper): void {
    this.sleepers.delete(sleeper);
    if (this.isEmpty) this.seenBound = null;
  }

  private async lookWhileCalled(): Promise<void> {
    if (this.isLooking) return;
    this.isLooking = true;
    try {
      while (!this.isEmpty && (this.isCalled || this.isHeldBack)) {
        if (!this.isCalled) await delay(OLDER_WRITER_MS, undefined, { ref: false });
        const isHurried = this.isCalled;
        this.isCalled = false;
        try {
          await this.look(isHurried);
        } catch (error) {
          log.warn({ err: error, workspaceId: this.workspaceId }, "waiting readers could not be served");
          this.isCalled = true;
          await delay(RETRY_MS, undefined, { ref: false });
        }
        if (this.isCalled) await delay(MIN_SPACING_MS, undefined, { ref: false });
      }
    } finally {
      this.isLooking = false;
      this.isCalled = false;
      if (this.isEmpty) this.isHeldBack = false;
    }
  }

  private async look(isCalled: boolean): Promise<void> {
    const sleepers = [...this.sleepers];
    const { calls } = this;
    this.newcomers = { bound: null, areHeldBack: false };
    const bound = await readBound(this.db);
    // Only waiting for the older writer, and it is still there.
    if (!isCalled && bound.bound === this.seenBound) return;
    let after = bound.lastValue;
    for (const { walk } of sleepers) if (walk.place.seq < after) after = walk.place.seq;
    const touched = await readTouched(this.db, { workspaceId: this.workspaceId, after, bound: bound.bound });
    // A rollback tells nobody: who was held back by it must not depend on being called.
    this.isHeldBack = touched.head.head > bound.bound || this.newcomers.areHeldBack;
    const groups = new Map<string, Sleeper[]>();
    for (const sleeper of sleepers) {
      if (!this.sleepers.has(sleeper)) continue;
      if (isOutOfPlace(sleeper.walk, touched, bound)) sleeper.wake("look");
      else if (isConcerned(sleeper.walk, touched)) group(groups, sleeper);
      else moveOn(sleeper, touched, bound);
    }
    await this.servePages([...groups.values()], bound, calls);
    this.seenBound = this.isEmpty ? null : lowerOf(this.newcomers.bound, bound.bound);
  }

  private async servePages(groups: Sleeper[][], bound: Bound, calls: number): Promise<void> {
    const serveNext = async (): Promise<void> => {
      for (let next = groups.pop(); next; next = groups.pop()) await this.servePage(next, bound, calls);
    };
    await Promise.all(Array.from({ length: Math.min(PARALLEL_PAGES, groups.length) }, serveNext));
  }

  private async servePage(sleepers: Sleeper[], bound: Bound, calls: number): Promise<void> {
    const [first] = sleepers;
    if (!first) return;
    const { walk } = first;
    const page = await readChanges(this.db, walk, bound).catch(() => null);
    for (const [index, sleeper] of sleepers.entries()) {
      // Answers advance side by side, step for step: woken all at once, the first of a thousand would be
      // written when the last is.
      if (index % WOKEN_AT_ONCE === WOKEN_AT_ONCE - 1) await setImmediate();
      if (!page) sleeper.wake("look");
      else if (page.rows.length > 0) sleeper.wake({ page, calls });
      else sleeper.walk = walkOn(walk, page);
    }
  }
}

function lowerOf(a: bigint | null, b: bigint): bigint {
  return a !== null && a < b ? a : b;
}

/** Expired, or something is wrong: the sleeper's own look will say what. */
function isOutOfPlace(
  { place }: PlacedWalk,
  { head }: Touched,
  { bound, lastValue, identity }: Bound,
): boolean {
  return (
    !place.isOfEpoch(head.epoch) ||
    place.seq < head.horizon ||
    place.seq > lastValue ||
    head.horizon > bound ||
    (identity.systemIdentifier !== null && identity.systemIdentifier !== head.systemIdentifier) ||
    (identity.timeline !== null && identity.timeline !== head.timeline)
  );
}

function isConcerned({ place, filter }: PlacedWalk, { feeds, isComplete }: Touched): boolean {
  return (
    !isComplete ||
    feeds.some(
      (feed) =>
        feed.seq > place.seq &&
        (filter.feedId === undefined || filter.feedId === feed.feedId) &&
        (filter.sourceId === undefined || filter.sourceId === feed.sourceId),
    )
  );
}

function group(groups: Map<string, Sleeper[]>, sleeper: Sleeper): void {
  const { place, filter, limit, text } = sleeper.walk;
  const key = [place.seq, filter.sourceId, filter.feedId, limit, text].join(" ");
  const together = groups.get(key);
  if (together) together.push(sleeper);
  else groups.set(key, [sleeper]);
}

/** Nothing of it is for this one, so its cursor stays clear of the horizon. */
function moveOn(sleeper: Sleeper, { head }: Touched, { bound }: Bound): void {
  const { walk } = sleeper;
  const seq = maxOf(walk.place.seq, head.position <= bound ? head.position : 0n);
  sleeper.walk = { ...walk, place: { ...walk.place, seq } };
}
