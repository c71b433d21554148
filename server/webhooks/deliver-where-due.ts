import { setTimeout as delay } from "node:timers/promises";
import type { Db } from "@/server/db";
import { log } from "@/server/log";
import { claimDeliveries } from "./claim-deliveries";
import { type DeliverOptions, deliverClaimed } from "./deliver-claimed";

/** Attempts at the same time in one process: sockets that mostly wait. */
const CONCURRENCY = 32;
/** While attempts are under way, others may become due. */
const LOOK_MS = 500;
/** A process that is told to stop lets attempts end for so long; what it then ends is delivered again. */
const GRACE_MS = 3_000;
/** A round ends by itself, so that a task's errors and the cron route's answer do not wait for ever. */
const ROUND_MS = 30_000;

/**
 * Delivers what is due, until nothing is; several processes share the work. A slow endpoint holds its own
 * places alone: the others' deliveries are claimed and sent meanwhile.
 *
 * @returns how many attempts ended.
 */
export async function deliverWhereDue(
  db: Db,
  { signal, roundMs = ROUND_MS, ...options }: DeliverOptions & { roundMs?: number } = {},
): Promise<number> {
  const stop = new AbortController();
  const onAbort = () => void setTimeout(() => stop.abort(signal?.reason), GRACE_MS).unref();
  signal?.addEventListener("abort", onAbort, { once: true });
  const underWay = new Set<Promise<void>>();
  const until = performance.now() + roundMs;
  let ended = 0;
  let rest: Promise<void> | null = null;
  try {
    for (;;) {
      const isOpen = !signal?.aborted && performance.now() < until;
      const claims = isOpen ? await claimDeliveries(db, { limit: CONCURRENCY - underWay.size }) : [];
      for (const claim of claims) {
        const one = deliverClaimed(db, claim, { ...options, signal: stop.signal }).then(
          () => {
            ended += 1;
          },
          (error: unknown) => {
            if (stop.signal.aborted) return;
            log.warn({ err: error, deliveryId: claim.id }, "webhook delivery could not be made");
          },
        );
        const tracked = one.finally(() => underWay.delete(tracked));
        underWay.add(tracked);
      }
      if (underWay.size === 0) return ended;
      // Whoever ends makes room; meanwhile others may become due.
      rest ??= delay(LOOK_MS).then(() => {
        rest = null;
      });
      await Promise.race(isOpen ? [...underWay, rest] : underWay);
    }
  } finally {
    signal?.removeEventListener("abort", onAbort);
  }
}
