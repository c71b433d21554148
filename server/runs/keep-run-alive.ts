import type { Caller } from "@/server/actor";
import type { Db } from "@/server/db";
import { AppError } from "@/server/errors";
import { log } from "@/server/log";
import { RunStopped } from "./explain-ending";
import { heartbeatRun } from "./heartbeat-run";
import { SHUTDOWN, TIME_BUDGET } from "./run-error";
import { leaseSeconds, MAX_RUN_SECONDS } from "./run-limits";

/** Beats per lease: one may be lost. */
const BEATS = 3;
/** Left of the maximum duration for ending the run in order. */
const END_MARGIN_SECONDS = 10;

export type RunLife = {
  /** Aborted with a RunStopped: the lease was lost, the time is up, or the process stops. */
  signal: AbortSignal;
  /** Called with each beat. */
  onBeat(work: () => Promise<void>): void;
  /** Stops beating; call it in a `finally`. */
  end(): void;
};

/** Renews a run's lease on a timer and watches the reasons to stop. */
export function keepRunAlive(
  db: Db,
  caller: Caller,
  {
    runId,
    budgetMs,
    heartbeatMs = (leaseSeconds() * 1000) / BEATS,
    signal,
  }: { runId: string; budgetMs?: number; heartbeatMs?: number; signal?: AbortSignal },
): RunLife {
  const controller = new AbortController();
  const stop = (why: RunStopped["why"]) => controller.abort(new RunStopped(why));
  let extra: (() => Promise<void>) | null = null;
  let beating = false;

  async function beat(): Promise<void> {
    if (beating || controller.signal.aborted) return;
    beating = true;
    try {
      await heartbeatRun(db, caller, { runId });
      await extra?.();
    } catch (error) {
      if (error instanceof AppError && error.code === "run_fenced") stop("fenced");
      // A database that is away for a moment: the lease outlives a lost beat.
      else log.warn({ err: error, runId }, "heartbeat failed");
    } finally {
      beating = false;
    }
  }

  const beats = setInterval(() => void beat(), heartbeatMs);
  const maxMs = (MAX_RUN_SECONDS.cloud - END_MARGIN_SECONDS) * 1000;
  const budget = setTimeout(() => stop(TIME_BUDGET), Math.min(budgetMs ?? maxMs, maxMs));
  const onShutdown = () => stop(SHUTDOWN);
  if (signal?.aborted) onShutdown();
  else signal?.addEventListener("abort", onShutdown, { once: true });

  return {
    signal: controller.signal,
    onBeat(work) {
      extra = work;
    },
    end() {
      clearInterval(beats);
      clearTimeout(budget);
      signal?.removeEventListener("abort", onShutdown);
    },
  };
}
