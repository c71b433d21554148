/**
 * What sources can be filtered and sorted by. Apart from schema.ts, so that pages can use it without the parser
 * that brings along.
 */

export const SOURCE_STATUSES = ["active", "paused", "failing", "needs_reconnect", "deleting"] as const;
export type SourceStatus = (typeof SOURCE_STATUSES)[number];

export const SOURCE_SORTS = ["created", "name", "status", "feeds", "documents", "lastSuccess"] as const;
