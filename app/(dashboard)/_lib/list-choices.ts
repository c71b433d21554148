import type { inferRouterInputs } from "@trpc/server";
import type { AppRouter } from "@/server/trpc/root";

/**
 * What lists can be filtered and sorted by, as the server knows it. Written out here because the
 * server's schemas bring their parser along, which no page needs; the types keep both in step.
 */
type Inputs = inferRouterInputs<AppRouter>;
type FeedsInput = Inputs["feeds"]["list"];
type SourcesInput = Inputs["sources"]["list"];
type RunsInput = Inputs["runs"]["list"];
type RejectionsInput = Inputs["feeds"]["rejections"];
type DocumentsInput = Inputs["documents"]["list"];

export const FEED_STATUSES = [
  "active",
  "paused",
  "failing",
  "rate_limited",
  "needs_reconnect",
  "disabled",
  "deleting",
] as const satisfies readonly FeedsInput["status"][];

export const FEED_SORTS = [
  "created",
  "name",
  "source",
  "status",
  "documents",
  "lastSuccess",
  "lastNewDocument",
  "nextSync",
  "failingSince",
] as const satisfies readonly FeedsInput["sort"][];

export const SOURCE_STATUSES = [
  "active",
  "paused",
  "failing",
  "needs_reconnect",
  "deleting",
] as const satisfies readonly SourcesInput["status"][];

export const SOURCE_SORTS = [
  "created",
  "name",
  "status",
  "feeds",
  "documents",
  "lastSuccess",
] as const satisfies readonly SourcesInput["sort"][];

export const RUN_STATUSES = [
  "queued",
  "running",
  "succeeded",
  "partial",
  "failed",
  "abandoned",
  "cancelled",
] as const satisfies readonly RunsInput["status"][];

export const RUN_TRIGGERS = [
  "schedule",
  "manual",
  "api",
  "webhook",
  "launch",
] as const satisfies readonly RunsInput["trigger"][];

export const EXECUTORS = ["cloud", "agent", "api"] as const satisfies readonly RunsInput["executor"][];

export const RUN_SORTS = ["started", "length", "changes"] as const satisfies readonly RunsInput["sort"][];

export const REJECTION_SORTS = [
  "first",
  "last",
  "occurrences",
] as const satisfies readonly RejectionsInput["sort"][];

export const DOCUMENT_STATES = [
  "live",
  "deleted",
  "any",
] as const satisfies readonly DocumentsInput["state"][];
