import type { Principal } from "@/server/access/principal";
import type { Db } from "@/server/db";
import { env } from "@/server/env";
import { AppError } from "@/server/errors";
import { hubFor } from "@/server/live/hub";
import { log } from "@/server/log";
import { type Awoken, Lookout, type SleepEnd, type Sleeper } from "./lookout";
import type { PlacedWalk, ReadPage } from "./read-changes";
import { readBound } from "./safe-point";

/** The slow look for what a lost notification did not tell. One statement on a sequence, whoever waits. */
const SLOW_LOOK_MS = 2_000;

/** One poll's or stream's place among those that wait. It holds no database connection. */
export type Seat = {
  /** Read it before looking; `sleep` wants it. */
  calls(): number;
  /**
   * Waits for something after the walk's place.
   *
   * @param last the look that found nothing more; it began after the seat was taken.
   * @returns why it woke, and the walk, which may have moved on over what its filter leaves out.
   */
  sleep(
    walk: PlacedWalk,
    last: { calls: number; page: ReadPage },
    limits: { ms: number; signal?: AbortSignal },
  ): Promise<{ awoken: Awoken | SleepEnd; walk: PlacedWalk }>;
  leave(): void;
};

export type Waiters = {
  /**
   * @returns null when the server is stopping: nobody waits any more.
   * @throws AppError rate_limited when the process, or the half of it that one token may have, is full.
   */
  take(principal: Principal): Seat | null;
  /** How many of a workspace wait in this process. */
  count(workspaceId: number): number;
  /** How many wait in this process. */
  total(): number;
  /** Everybody's wait ends with an ordinary answer. */
  close(): Promise<void>;
};

/** @param maxWaiters in this process; half of them of one token or person. */
export function createWaiters(db: Db, maxWaiters: () => number): Waiters {
  const lookouts = new Map<number, Lookout>();
  const seats = new Set<(why: SleepEnd) => void>();
  /** How many each token or person, and each workspace, has of them. */
  const ofOwner = new Map<string, number>();
  const ofWorkspace = new Map<number, number>();
  let stopHearing: (() => void) | null = null;
  let slowLook: NodeJS.Timeout | null = null;
  let isClosed = false;

  function lookoutOf(workspaceId: number): Lookout {
    let lookout = lookouts.get(workspaceId);
    if (!lookout) {
      lookout = new Lookout(db, workspaceId);
      lookouts.set(workspaceId, lookout);
    }
    return lookout;
  }

  function start(): void {
    stopHearing ??= hubFor(db).onWrites((workspaces) => {
      if (workspaces === null) for (const lookout of lookouts.values()) lookout.call();
      else for (const workspaceId of workspaces) lookouts.get(workspaceId)?.call();
    });
    slowLook ??= setInterval(() => void lookSlowly(), SLOW_LOOK_MS).unref();
  }

  let isLookingSlowly = false;
  async function lookSlowly(): Promise<void> {
    if (isLookingSlowly || [...lookouts.values()].every((lookout) => lookout.isEmpty)) return;
    isLookingSlowly = true;
    try {
      const bound = await readBound(db);
      for (const lookout of lookouts.values()) lookout.callIfMoved(bound);
    } catch (error) {
      log.debug({ err: error }, "the slow look at the change feed failed");
    } finally {
      isLookingSlowly = false;
    }
  }

  /** Nobody waits: no timer, and no statement, for nobody. */
  function stopIfEmpty(workspaceId: number): void {
    if (!ofWorkspace.has(workspaceId)) lookouts.delete(workspaceId);
    if (seats.size > 0) return;
    stopHearing?.();
    stopHearing = null;
    if (slowLook) clearInterval(slowLook);
    slowLook = null;
  }

  function refuseTooMany(owner: string): void {
    const max = maxWaiters();
    if (seats.size < max && (ofOwner.get(owner) ?? 0) < Math.ceil(max / 2)) return;
    const whose = seats.size < max ? "of this token " : "";
    throw new AppError(
      "rate_limited",
      `Too many requests ${whose}wait for changes already. Poll without \`wait\`, or later.`,
      {
        retryAfterSeconds: 5,
      },
    );
  }

  function take(principal: Principal): Seat | null {
    if (isClosed) return null;
    const { workspaceId } = principal.caller;
    const owner = principal.tokenId ?? principal.userId ?? "";
    refuseTooMany(owner);
    start();
    const lookout = lookoutOf(workspaceId);
    let ended: SleepEnd | null = null;
    let wake: (why: SleepEnd) => void = () => {};
    const end = (why: SleepEnd) => {
      ended ??= why;
      wake(why);
    };
    seats.add(end);
    add(ofOwner, owner, 1);
    add(ofWorkspace, workspaceId, 1);
    const stopWatching = hubFor(db).watchAccess(principal, () => end("revoked"));

    return {
      calls: () => lookout.calls,
      sleep(walk, { calls, page }, { ms, signal }) {
        return new Promise((resolve) => {
          const over = (awoken: Awoken | SleepEnd) => {
            clearTimeout(timer);
            signal?.removeEventListener("abort", gone);
            wake = () => {};
            lookout.remove(sleeper);
            resolve({ awoken, walk: sleeper.walk });
          };
          const gone = () => over("gone");
          const sleeper: Sleeper = { walk, wake: over };
          const timer = setTimeout(over, ms, "time");
          wake = over;
          signal?.addEventListener("abort", gone, { once: true });
          if (signal?.aborted) gone();
          else if (ended) over(ended);
          else lookout.add(sleeper, calls, page);
        });
      },
      leave() {
        if (!seats.delete(end)) return;
        add(ofOwner, owner, -1);
        add(ofWorkspace, workspaceId, -1);
        stopWatching();
        stopIfEmpty(workspaceId);
      },
    };
  }

  return {
    take,
    count: (workspaceId) => ofWorkspace.get(workspaceId) ?? 0,
    total: () => seats.size,
    async close() {
      isClosed = true;
      for (const end of [...seats]) end("shutdown");
    },
  };
}

function add<Key>(counts: Map<Key, number>, key: Key, by: 1 | -1): void {
  const count = (counts.get(key) ?? 0) + by;
  if (count === 0) counts.delete(key);
  else counts.set(key, count);
}

const shared = globalThis as typeof globalThis & {
  __tidemarkWaiters?: WeakMap<Db, Waiters>;
  __tidemarkShutdown?: Set<() => Promise<void>>;
};

/** The process's waiters on a database. On globalThis because Next bundles REST and tRPC apart. */
export function waitersFor(db: Db): Waiters {
  shared.__tidemarkWaiters ??= new WeakMap();
  let waiters = shared.__tidemarkWaiters.get(db);
  if (!waiters) {
    waiters = createWaiters(db, () => env().TIDEMARK_MAX_WAITERS);
    shared.__tidemarkWaiters.set(db, waiters);
    shared.__tidemarkShutdown ??= new Set();
    shared.__tidemarkShutdown.add(waiters.close);
  }
  return waiters;
}

/** Puts others in their place; for tests. */
export function setWaiters(db: Db, waiters: Waiters): void {
  shared.__tidemarkWaiters ??= new WeakMap();
  shared.__tidemarkWaiters.set(db, waiters);
}
