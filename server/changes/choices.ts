/**
 * What consumers can be sorted by, and how far things are counted. Apart from schema.ts, so that pages can use it without the parser that
 * brings along.
 */

export const CONSUMER_SORTS = ["seen", "name", "behind"] as const;

/** Changes that a consumer lacks are counted up to here; beyond it is "that many or more". */
export const MAX_COUNTED_BEHIND = 500;

/** Deletes that a shorter retention would forget, likewise. */
export const MAX_COUNTED_DELETES = 10_000;
