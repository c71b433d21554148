/**
 * What documents can be filtered and sorted by. Apart from schema.ts, so that pages can use it without the parser
 * that brings along.
 */

export const DOCUMENT_STATES = ["live", "deleted", "any"] as const;
