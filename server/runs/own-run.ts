import type { z } from "zod";
import type { Caller } from "@/server/actor";
import type { Db } from "@/server/db";
import { requireFeed } from "@/server/feeds/get-feed";
import { finishRun } from "./finish-run";
import { getRun, requireRun } from "./get-run";
import { heartbeatRun } from "./heartbeat-run";
import { restartRun } from "./restart-run";
import type { ApiRunWithEvents } from "./run-shape";
import type { finishRunInput, startRunInput } from "./schema";
import { startRun } from "./start-run";

/** The runs of someone's own code, as REST, tRPC and GraphQL offer them: executor `api`. */

/** @throws AppError feed_not_found, feed_disabled, feed_deleting, run_active */
export async function beginRun(
  db: Db,
  caller: Caller,
  input: z.infer<typeof startRunInput> & { feedId: string },
): Promise<{ runId: string; leaseExpiresAt: string | null; cursor: string | null }> {
  await requireFeed(db, caller, input.feedId);
  const { feedId, trigger = "api", listing } = input;
  const run = await startRun(db, caller, { feedId, trigger, executor: "api", listing });
  return { runId: run.runId, leaseExpiresAt: run.leaseExpiresAt?.toISOString() ?? null, cursor: run.cursor };
}

/** @throws AppError not_found for a run of another workspace; run_fenced when it is over. */
export async function renewRun(
  db: Db,
  caller: Caller,
  { runId }: { runId: string },
): Promise<{ leaseExpiresAt: string }> {
  await requireRun(db, caller, runId);
  const { leaseExpiresAt } = await heartbeatRun(db, caller, { runId });
  return { leaseExpiresAt: leaseExpiresAt.toISOString() };
}

/** @throws AppError not_found, run_fenced, conflict when it restarted before. */
export async function restartOwnRun(
  db: Db,
  caller: Caller,
  input: { runId: string; reason: string },
): Promise<{ cursor: string | null }> {
  await requireRun(db, caller, input.runId);
  return restartRun(db, caller, input);
}

/** @throws AppError not_found, run_fenced */
export async function endRun(
  db: Db,
  caller: Caller,
  input: z.infer<typeof finishRunInput> & { runId: string },
): Promise<ApiRunWithEvents> {
  await requireRun(db, caller, input.runId);
  await finishRun(db, caller, input);
  return getRun(db, caller, input);
}
