import { type ApiNewFeeds, type LookRow, toNewFeeds } from "@/server/new-feeds/look-shape";
import type { SourceStatus } from "./choices";

/** A source on the wire. What stands after `updatedAt` is for the dashboard. */
export type ApiSource = {
  id: string;
  type: string;
  name: string;
  key: string | null;
  config: Record<string, unknown>;
  runsOn: "cloud" | "agent" | "api";
  status: SourceStatus;
  feedCount: number;
  documentCount: number;
  createdAt: string;
  updatedAt: string;
  /** Are upstream credentials kept for it? They never come back out. */
  hasCredentials: boolean;
  lastSuccessAt: string | null;
  /** Its feeds that need someone's attention; at most five. */
  problems: SourceProblem[];
  /** Feeds that its upstream offers later. */
  newFeeds: ApiNewFeeds;
};

export type SourceProblem = {
  feedId: string;
  name: string;
  status: "failing" | "rate_limited" | "needs_reconnect" | "disabled" | "paused";
  message: string;
};

/** A row of `readSources`: the source, and sums over its feeds. */
export type SourceRow = LookRow & {
  id: string;
  type: string;
  name: string;
  key: string | null;
  config: unknown;
  runsOn: ApiSource["runsOn"];
  credentialId: string | null;
  createdAt: Date;
  updatedAt: Date;
  status: SourceStatus;
  feedCount: number;
  documentCount: number;
  lastSuccessAt: Date | null;
};

export function toSource(row: SourceRow, problems: SourceProblem[]): ApiSource {
  return {
    id: row.id,
    type: row.type,
    name: row.name,
    key: row.key,
    config: row.config as Record<string, unknown>,
    runsOn: row.runsOn,
    status: row.status,
    feedCount: row.feedCount,
    documentCount: row.documentCount,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
    hasCredentials: row.credentialId !== null,
    lastSuccessAt: row.lastSuccessAt?.toISOString() ?? null,
    problems,
    newFeeds: toNewFeeds(row, row.status === "paused"),
  };
}
