/** Apart from schema.ts, so that pages can use it without the parser that brings along. */

/** Ten years: past that, nothing is kept for ever by accident of a typing error. */
export const MAX_RETENTION_DAYS = 3650;
