/**
 * What runs can be filtered and sorted by. Apart from schema.ts, so that pages can use it without the parser
 * that brings along.
 */

export const RUN_STATUSES = [
  "queued",
  "running",
  "succeeded",
  "partial",
  "failed",
  "abandoned",
  "cancelled",
] as const;

export const RUN_TRIGGERS = ["schedule", "manual", "api", "webhook", "launch"] as const;

export const EXECUTORS = ["cloud", "agent", "api"] as const;

export const RUN_SORTS = ["started", "length", "changes"] as const;
