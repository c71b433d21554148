import { setMaxListeners } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { type Db, db as sharedDb } from "@/server/db";
import { log } from "@/server/log";
import { noteRound } from "@/server/metrics/note-round";
import { maintenanceTasks } from "./maintenance-tasks";
import { type Worker, workerFor } from "./worker";

/** How often due feeds are looked for: what a person who waits for one hardly notices. */
const TICK_MS = 2_000;
type Scheduler = { stop(): Promise<void> };

const shared = globalThis as typeof globalThis & { __tidemarkScheduler?: Scheduler };

/**
 * Starts the loop that claims and runs what is due, reaps dead runs and maintains; once per process.
 * Several processes on one database share the work.
 */
export function startScheduler(db: Db = sharedDb(), worker: Worker = workerFor(db)): void {
  shared.__tidemarkScheduler ??= createScheduler(db, worker);
}

/** Takes nothing more, ends what is under way as `partial`, so that another process goes on at once. */
export async function stopScheduler(): Promise<void> {
  const scheduler = shared.__tidemarkScheduler;
  shared.__tidemarkScheduler = undefined;
  await scheduler?.stop();
}

function createScheduler(db: Db, worker: Worker): Scheduler {
  const stopping = new AbortController();
  const { signal } = stopping;
  // Every loop listens, and so does what it does: Node would take eleven for a leak.
  setMaxListeners(0, signal);
  const loops = [
    repeat("schedule", TICK_MS, signal, () => worker.tick()),
    ...maintenanceTasks.map(({ name, everyMs, run }) =>
      repeat(name, everyMs, signal, () => run(db, { signal })),
    ),
  ];
  log.info("scheduler started");
  return {
    async stop() {
      stopping.abort();
      await Promise.all([worker.stop(), ...loops]);
      log.info("scheduler stopped");
    },
  };
}

/** One round after the other, never two at once; a round that fails is tried again with the next. */
async function repeat(
  name: string,
  everyMs: number,
  signal: AbortSignal,
  round: () => Promise<unknown>,
): Promise<void> {
  while (!signal.aborted) {
    try {
      await round();
      noteRound(name, "done");
    } catch (error) {
      noteRound(name, "failed");
      log.warn({ err: error }, `${name} round failed`);
    }
    await delay(everyMs, undefined, { signal, ref: false }).catch(() => {});
  }
}
