/**
 * What feeds and rejected items can be filtered and sorted by. Apart from schema.ts, so that pages can use it without the parser
 * that brings along.
 */

export const FEED_STATUSES = [
  "active",
  "paused",
  "failing",
  "rate_limited",
  "needs_reconnect",
  "disabled",
  "deleting",
] as const;
export type FeedStatus = (typeof FEED_STATUSES)[number];

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
] as const;

export const REJECTION_SORTS = ["first", "last", "occurrences"] as const;
