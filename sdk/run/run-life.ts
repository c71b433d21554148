import { TidemarkError } from "../errors.ts";

/** The server gives a run two hours; this leaves time to end it in order. */
export const MAX_BUDGET_MS = 115 * 60_000;
/** Beats per lease: one may be lost. */
const BEATS = 3;
/** However long the lease seems; the clocks of server and program may disagree. */
const LONGEST_BEAT_MS = 20_000;
const SHORTEST_BEAT_MS = 500;

/** The run used up its time. */
export class TimeIsUp extends Error {
  override readonly name = "TimeIsUp";
}

export type RunLife = {
  /** Aborted when the caller's signal is, when the time is up, and with the error when the run is lost. */
  signal: AbortSignal;
  /** Stops beating; call it in a `finally`. */
  end(): void;
};

/** Renews a run's lease on a timer and watches the reasons to stop. */
export function keepRunAlive({
  beat,
  leaseExpiresAt,
  budgetMs = MAX_BUDGET_MS,
  signal,
}: {
  beat: () => Promise<void>;
  leaseExpiresAt: string;
  budgetMs?: number | undefined;
  signal?: AbortSignal | undefined;
}): RunLife {
  const controller = new AbortController();
  const leaseMs = Date.parse(leaseExpiresAt) - Date.now();
  const everyMs = Math.min(Math.max(leaseMs / BEATS, SHORTEST_BEAT_MS), LONGEST_BEAT_MS);
  let isBeating = false;

  async function beatOnce(): Promise<void> {
    if (isBeating) return;
    isBeating = true;
    try {
      await beat();
    } catch (error) {
      // What may pass is left to the next beat. Anything else means that this run cannot go on.
      if (error instanceof TidemarkError && !error.retryable) controller.abort(error);
    } finally {
      isBeating = false;
    }
  }

  const beats = setInterval(() => void beatOnce(), everyMs);
  const budget = setTimeout(() => controller.abort(new TimeIsUp()), Math.min(budgetMs, MAX_BUDGET_MS));
  const stop = () => controller.abort(signal?.reason);
  if (signal?.aborted) stop();
  else signal?.addEventListener("abort", stop, { once: true });
  return {
    signal: controller.signal,
    end() {
      clearInterval(beats);
      clearTimeout(budget);
      signal?.removeEventListener("abort", stop);
    },
  };
}
