import type { Executor, RunStatus } from "@/server/db";
import { metrics } from "./metrics";

/** Counts a run that this process ended. Called after the commit, so that one that was rolled back is not counted. */
export function noteRunEnd({
  status,
  executor,
  ms,
}: {
  status: RunStatus;
  executor: Executor;
  /** Absent where it never ran. */
  ms?: number;
}): void {
  const { runsEnded, runSeconds } = metrics();
  runsEnded.inc({ status, executor });
  if (ms !== undefined) runSeconds.observe({ executor }, ms / 1000);
}
