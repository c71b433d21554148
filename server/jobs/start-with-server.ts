import { env } from "@/server/env";
import { log } from "@/server/log";
import { startScheduler, stopScheduler } from "./scheduler";

/** Starts the scheduler unless it is off, and stops it in order when the process is told to end. */
export function startSchedulerWithServer(): void {
  if (env().TIDEMARK_SCHEDULER === "off") return;
  startScheduler();
  // Beside Next's own handlers, which close the server and exit; a run that loses this race is
  // abandoned by its lease like after a crash.
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    process.once(signal, () => {
      stopScheduler().catch((error: unknown) => log.warn({ err: error }, "scheduler did not stop in order"));
    });
  }
}
