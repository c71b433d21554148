import type { Actor } from "@/server/actor";
import type { Executor, Prisma, RunStatus, RunTrigger } from "@/server/db";
import type { RunError, RunWarning } from "./run-error";

/** A run on the wire. What stands after `error` is for the dashboard. */
export type ApiRun = {
  id: string;
  feedId: string;
  sourceId: string;
  status: RunStatus;
  trigger: RunTrigger;
  executor: Executor;
  actor: Actor;
  startedAt: string | null;
  finishedAt: string | null;
  cursorBefore: string | null;
  cursorAfter: string | null;
  pages: number;
  created: number;
  updated: number;
  skipped: number;
  deleted: number;
  rejected: number;
  requests: number;
  /** Decoded bytes fetched, as a decimal string: 64 bits. */
  bytes: string;
  warnings: RunWarning[];
  error: RunError | null;
  /** Null once the feed was deleted. */
  feedName: string | null;
  sourceName: string | null;
  listing: boolean;
  restarted: boolean;
  /** Milliseconds by stage; empty for runs of other people's code. */
  durations: { fetchMs?: number; commitMs?: number; totalMs?: number };
  queuedAt: string;
  leaseExpiresAt: string | null;
  requestId: string | null;
};

export type ApiRunEvent = {
  at: string;
  level: string;
  kind: string;
  message: string;
  data: Record<string, unknown>;
};

export type ApiRunWithEvents = ApiRun & { events: ApiRunEvent[] };

/** Names of the run's feed and source: no relation, because runs outlive both. */
export type RunNames = { feedName: string | null; sourceName: string | null };

type RunRow = Prisma.SyncRunGetPayload<Record<string, never>>;

export function toRun(row: RunRow, names: RunNames): ApiRun {
  return {
    id: row.id,
    feedId: row.feedId,
    sourceId: row.sourceId,
    status: row.status,
    trigger: row.trigger,
    executor: row.executor,
    actor: row.actor as Actor,
    startedAt: row.startedAt?.toISOString() ?? null,
    finishedAt: row.finishedAt?.toISOString() ?? null,
    cursorBefore: row.cursorBefore,
    cursorAfter: row.cursorAfter,
    pages: row.pages,
    created: row.created,
    updated: row.updated,
    skipped: row.skipped,
    deleted: row.deleted,
    rejected: row.rejected,
    requests: row.requests,
    bytes: String(row.bytes),
    warnings: row.warnings as RunWarning[],
    error: row.error as RunError | null,
    feedName: names.feedName,
    sourceName: names.sourceName,
    listing: row.listing,
    restarted: row.restarted,
    durations: row.durations as ApiRun["durations"],
    queuedAt: row.queuedAt.toISOString(),
    leaseExpiresAt: row.leaseExpiresAt?.toISOString() ?? null,
    requestId: row.requestId,
  };
}
