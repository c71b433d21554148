import type { Executor } from "@/server/db";
import { env } from "@/server/env";

/** How long a run is believed alive without a sign of life, in seconds. */
export function leaseSeconds(): number {
  return env().TIDEMARK_LEASE_SECONDS;
}

/**
 * The longest a run may take, in seconds. A run in the cloud ends as `partial` and goes on with the
 * next one, so it may be short; agents and other people's code may walk an archive in one go.
 */
export const MAX_RUN_SECONDS: Record<Executor, number> = {
  cloud: 15 * 60,
  agent: 2 * 60 * 60,
  api: 2 * 60 * 60,
};

/** A queued run that no worker took for this long (one hourly cron tick, and some) is abandoned. */
export const QUEUE_SECONDS = 90 * 60;
