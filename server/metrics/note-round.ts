import { metrics } from "./metrics";

/** Counts a round of background work: of the scheduler or of a cron call. */
export function noteRound(task: string, outcome: "done" | "failed"): void {
  metrics().rounds.inc({ task, outcome });
}
