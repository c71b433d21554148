import type { Run } from "@/app/(dashboard)/_lib/types";

type RunFacts = Pick<
  Run,
  | "feedId"
  | "status"
  | "pages"
  | "created"
  | "updated"
  | "skipped"
  | "deleted"
  | "rejected"
  | "startedAt"
  | "finishedAt"
  | "queuedAt"
>;

export type SyncProgress = {
  feeds: number;
  /** Feeds whose first run is over, however it ended. */
  done: number;
  failed: number;
  pages: number;
  documents: number;
  /** Since the first run was queued, up to the last one's end. */
  ms: number;
  /** Null before the first second. */
  documentsPerSecond: number | null;
  /** At the pace of the feeds that are over; null while that says too little. */
  msLeft: number | null;
};

/** A single feed that was quick says nothing about those to come. */
const ENOUGH_DONE = 3;

/** How far a source's first sync is. `runs`: one of each feed. */
export function sumProgress(feeds: number, runs: readonly RunFacts[], now: number): SyncProgress {
  const over = runs.filter((run) => run.finishedAt !== null);
  const done = over.length;
  const isOver = done >= feeds;
  const began = Math.min(...runs.map((run) => new Date(run.startedAt ?? run.queuedAt).getTime()));
  const ended = isOver ? Math.max(...over.map((run) => new Date(run.finishedAt ?? now).getTime())) : now;
  const ms = runs.length > 0 ? Math.max(0, ended - began) : 0;
  const documents = sum(runs, documentsOf);
  return {
    feeds,
    done,
    failed: over.filter((run) => run.status === "failed" || run.status === "abandoned").length,
    pages: sum(runs, (run) => run.pages),
    documents,
    ms,
    documentsPerSecond: ms >= 1000 ? documents / (ms / 1000) : null,
    msLeft: !isOver && done >= ENOUGH_DONE ? (ms / done) * (feeds - done) : null,
  };
}

/** Received by one run, whatever became of them. */
export function documentsOf(run: RunFacts): number {
  return run.created + run.updated + run.skipped + run.deleted + run.rejected;
}

const FAILED = new Set(["failed", "abandoned", "cancelled"]);

/**
 * Of each feed its first run, which is what the page is about: the schedule may have been quicker than
 * the wizard, and a second run finds nothing new. After failures the newest, which may have succeeded.
 *
 * @param runs newest first, as the list gives them.
 */
export function firstPerFeed<R extends { feedId: string; status: string }>(
  runs: readonly R[],
): Map<string, R> {
  const shown = new Map<string, R>();
  for (const run of runs) {
    if (!shown.has(run.feedId) || !FAILED.has(run.status)) shown.set(run.feedId, run);
  }
  return shown;
}

function sum<R>(rows: readonly R[], of: (row: R) => number): number {
  return rows.reduce((total, row) => total + of(row), 0);
}
