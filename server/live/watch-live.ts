import { setTimeout as delay } from "node:timers/promises";
import type { Principal } from "@/server/access/principal";
import { AppError } from "@/server/errors";
import type { LiveHub } from "./hub";
import type { LiveEvent } from "./schema";

/** Between two events of one connection: pages that change all the time are read again often enough. */
const MIN_INTERVAL_MS = 100;

/**
 * Hints for one connection, until it is aborted. Begins with an event at once, so that the other side
 * knows it is live. Bounded: a slow reader gets fewer and broader hints, never a queue.
 *
 * @param isResumed the connection was lost and taken up again: everything shown may be old.
 * @throws AppError unauthenticated within a second after access ended; unavailable when this server
 *   stops (come back to another one); rate_limited for too many connections.
 */
export async function* watchLive(
  hub: LiveHub,
  principal: Principal,
  { isResumed, signal }: { isResumed: boolean; signal: AbortSignal | undefined },
): AsyncGenerator<LiveEvent> {
  const subscriber = hub.subscribe(principal);
  try {
    yield { hints: isResumed ? [{ kind: "all", ids: null }] : [] };
    while (!signal?.aborted) {
      await subscriber.wait(signal);
      if (subscriber.ended) throw endOf(subscriber.ended);
      const hints = subscriber.pending.take();
      if (hints.length > 0) yield { hints };
      await delay(MIN_INTERVAL_MS, undefined, { signal, ref: false }).catch(() => {});
    }
  } finally {
    subscriber.leave();
  }
}

function endOf(reason: "revoked" | "shutdown"): AppError {
  return reason === "revoked"
    ? new AppError("unauthenticated", "You were signed out, or your role changed. Sign in again.")
    : new AppError("unavailable", "The server is restarting.", { retryAfterSeconds: 1 });
}
