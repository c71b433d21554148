import type { Prisma } from "@/server/db";
import type { FeedStatus } from "./choices";

/** Why a feed's last sync did not go well. */
export type FeedError = {
  origin: "upstream" | "adapter" | "tidemark";
  code: string;
  message: string;
  detail: string | null;
  retryable: boolean;
  at: string;
};

/** A feed on the wire. What stands after `error` is for the dashboard. */
export type ApiFeed = {
  id: string;
  sourceId: string;
  externalKey: string;
  name: string | null;
  watermark: "date" | "idSet" | "token" | "none" | null;
  cursor: string | null;
  documentCount: number;
  status: FeedStatus;
  intervalSeconds: number | null;
  lastAttemptAt: string | null;
  lastSuccessAt: string | null;
  lastNewDocumentAt: string | null;
  failingSince: string | null;
  nextSyncAt: string | null;
  error: FeedError | null;
  config: Record<string, unknown>;
  createdAt: string;
  updatedAt: string;
  upstreamTitle: string | null;
  displayName: string;
  sourceName: string;
  sourceType: string;
  runsOn: "cloud" | "agent" | "api";
  nextSyncReason: string | null;
  rateLimitedUntil: string | null;
  /** Who paused it: the source's pause holds all its feeds. */
  pausedBy: "person" | "failures" | "source" | null;
  consecutiveFailures: number;
  activeRunId: string | null;
  /** Sweeps that wait for a person's decision. */
  heldDeletes: number;
  /** Items refused and kept for inspection; counted up to 1,000. */
  rejections: number;
};

/** Columns a feed's answer needs. adapterState and hints stay inside. */
export const feedSelect = {
  id: true,
  sourceId: true,
  externalKey: true,
  name: true,
  upstreamTitle: true,
  watermark: true,
  cursor: true,
  config: true,
  state: true,
  pausedBy: true,
  intervalSeconds: true,
  documentCount: true,
  lastAttemptAt: true,
  lastSuccessAt: true,
  lastNewDocumentAt: true,
  failingSince: true,
  consecutiveFailures: true,
  nextSyncAt: true,
  nextSyncReason: true,
  rateLimitedUntil: true,
  error: true,
  createdAt: true,
  updatedAt: true,
  source: { select: { name: true, type: true, runsOn: true, state: true } },
} satisfies Prisma.FeedSelect;

export type FeedRow = Prisma.FeedGetPayload<{ select: typeof feedSelect }>;

/** What other tables know about a feed. */
export type FeedFacts = { activeRunId: string | null; heldDeletes: number; rejections: number };

type StatusFacts = Pick<FeedRow, "state" | "failingSince" | "rateLimitedUntil"> & {
  source: Pick<FeedRow["source"], "state">;
};

/** The one place that derives a feed's status; `statusFilter` in list-feeds.ts says the same in SQL. */
export function feedStatus(feed: StatusFacts, now: Date): FeedStatus {
  if (feed.state === "deleting" || feed.source.state === "deleting") return "deleting";
  if (feed.state !== "active") return feed.state;
  if (feed.source.state === "paused") return "paused";
  if (feed.rateLimitedUntil && feed.rateLimitedUntil > now) return "rate_limited";
  return feed.failingSince ? "failing" : "active";
}

export function toFeed(row: FeedRow, facts: FeedFacts, now: Date): ApiFeed {
  const status = feedStatus(row, now);
  return {
    id: row.id,
    sourceId: row.sourceId,
    externalKey: row.externalKey,
    name: row.name,
    watermark: row.watermark,
    cursor: row.cursor,
    documentCount: row.documentCount,
    status,
    intervalSeconds: row.intervalSeconds,
    lastAttemptAt: iso(row.lastAttemptAt),
    lastSuccessAt: iso(row.lastSuccessAt),
    lastNewDocumentAt: iso(row.lastNewDocumentAt),
    failingSince: iso(row.failingSince),
    // Nothing that is paused, disabled or going away is due, whatever the column still says.
    nextSyncAt:
      status === "paused" || status === "disabled" || status === "deleting" ? null : iso(row.nextSyncAt),
    error: toFeedError(row.error),
    config: row.config as Record<string, unknown>,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
    upstreamTitle: row.upstreamTitle,
    displayName: row.name ?? row.upstreamTitle ?? row.externalKey,
    sourceName: row.source.name,
    sourceType: row.source.type,
    runsOn: row.source.runsOn,
    nextSyncReason: row.nextSyncReason,
    rateLimitedUntil: status === "rate_limited" ? iso(row.rateLimitedUntil) : null,
    pausedBy: pausedBy(row),
    consecutiveFailures: row.consecutiveFailures,
    activeRunId: facts.activeRunId,
    heldDeletes: facts.heldDeletes,
    rejections: facts.rejections,
  };
}

function pausedBy(row: FeedRow): ApiFeed["pausedBy"] {
  if (row.state === "paused") return row.pausedBy === "failures" ? "failures" : "person";
  return row.state === "active" && row.source.state === "paused" ? "source" : null;
}

/** Written by the runner as this very shape; read with care all the same, since a column is only JSON. */
function toFeedError(value: unknown): FeedError | null {
  if (typeof value !== "object" || value === null) return null;
  const error = value as Partial<FeedError>;
  return {
    origin: error.origin ?? "tidemark",
    code: error.code ?? "unknown",
    message: error.message ?? "The last sync failed.",
    detail: error.detail ?? null,
    retryable: error.retryable ?? true,
    at: error.at ?? "",
  };
}

function iso(date: Date | null): string | null {
  return date ? date.toISOString() : null;
}
