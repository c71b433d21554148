import { type DeliveryType, TEST_EVENT } from "./choices";
import type { Attempt } from "./delivery-shape";

const SECOND_MS = 1_000;
const DAY_MS = 86_400_000;
/** 5 s, 20 s, 80 s, 5 min, 21 min, 85 min, then every 6 hours: about eleven attempts in 24 hours. */
const FIRST_DELAY_MS = 5 * SECOND_MS;
const GROWTH = 4;
const MAX_DELAY_MS = 6 * 3600 * SECOND_MS;
/** An endpoint is disabled after this many failed attempts in a row *and* this long without a success. */
const DISABLE_AFTER = { failures: 20, days: 5 };

export type AttemptOutcome = {
  delivery:
    | { state: "delivered" | "failed"; nextAttemptAt: null }
    | { state: "pending"; nextAttemptAt: Date };
  endpoint: {
    failingSince: Date | null;
    consecutiveFailures: number;
    lastSuccessAt?: Date;
    waitsUntil: Date | null;
  };
  /** Not null: the endpoint is disabled from here on. */
  disable: { by: "gone" | "failing"; reason: string } | null;
};

/**
 * What an attempt means for its delivery and its endpoint. Pure.
 *
 * @param delivery.tries this attempt included.
 * @param retryAfter when the receiver wants to be asked again; at most a day ahead.
 */
export function afterAttempt(
  delivery: { type: DeliveryType; tries: number; giveUpAt: Date },
  endpoint: { failingSince: Date | null; consecutiveFailures: number },
  { attempt, retryAfter }: { attempt: Attempt; retryAfter: Date | null },
  { now, random }: { now: Date; random: () => number },
): AttemptOutcome {
  if (attempt.error === null) {
    return {
      delivery: { state: "delivered", nextAttemptAt: null },
      endpoint: { failingSince: null, consecutiveFailures: 0, lastSuccessAt: now, waitsUntil: null },
      disable: null,
    };
  }
  const failingSince = endpoint.failingSince ?? now;
  const consecutiveFailures = endpoint.consecutiveFailures + 1;
  const waitsUntil = retryAfter && retryAfter > now ? retryAfter : null;
  return {
    delivery: nextTry(delivery, attempt, waitsUntil, { now, random }),
    endpoint: { failingSince, consecutiveFailures, waitsUntil },
    disable: whyDisable(attempt, { failingSince, consecutiveFailures }, now),
  };
}

function nextTry(
  { type, tries, giveUpAt }: { type: DeliveryType; tries: number; giveUpAt: Date },
  attempt: Attempt,
  waitsUntil: Date | null,
  { now, random }: { now: Date; random: () => number },
): AttemptOutcome["delivery"] {
  // Whoever presses the test button looks at the answer; nobody waits for a second one.
  const isLast = type === TEST_EVENT || attempt.error?.code === "gone" || now >= giveUpAt;
  if (isLast) return { state: "failed", nextAttemptAt: null };
  const backOff = new Date(now.getTime() + delayMs(tries, random));
  // The last attempt falls on the end of the window, or when the receiver asked for it.
  const planned = backOff < giveUpAt ? backOff : giveUpAt;
  return { state: "pending", nextAttemptAt: waitsUntil && waitsUntil > planned ? waitsUntil : planned };
}

/** Exponential, with a quarter of jitter either way, so that a receiver's recovery is no stampede. */
function delayMs(tries: number, random: () => number): number {
  const base = Math.min(FIRST_DELAY_MS * GROWTH ** (tries - 1), MAX_DELAY_MS);
  return base * (0.75 + random() / 2);
}

function whyDisable(
  attempt: Attempt,
  { failingSince, consecutiveFailures }: { failingSince: Date; consecutiveFailures: number },
  now: Date,
): AttemptOutcome["disable"] {
  if (attempt.error?.code === "gone") {
    return {
      by: "gone",
      reason: "The address answered 410 (gone), which means that it wants no more deliveries.",
    };
  }
  const failingMs = now.getTime() - failingSince.getTime();
  if (consecutiveFailures < DISABLE_AFTER.failures || failingMs < DISABLE_AFTER.days * DAY_MS) return null;
  return {
    by: "failing",
    reason: `${consecutiveFailures} attempts in a row have failed since ${failingSince.toISOString()}. The last: ${attempt.error?.message ?? "no answer"}`,
  };
}
