import { env } from "@/server/env";
import { startScheduler, stopScheduler } from "./scheduler";

const shared = globalThis as typeof globalThis & { __tidemarkShutdown?: Set<() => Promise<void>> };

/**
 * Starts the scheduler unless it is off, and leaves word how to stop it: scripts/serve.mjs, which has
 * the signals, awaits what is in this set before the process ends. A run that it cannot wait for is
 * abandoned by its lease like after a crash.
 */
export function startSchedulerWithServer(): void {
  if (env().TIDEMARK_SCHEDULER === "off") return;
  startScheduler();
  shared.__tidemarkShutdown ??= new Set();
  shared.__tidemarkShutdown.add(stopScheduler);
}
