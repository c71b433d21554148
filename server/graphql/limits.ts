/**
 * What one query may ask for. A page of every list with every field stays well below; a query above is
 * refused before it is validated, because validation itself is what such queries are made to exhaust.
 */

/** Words and marks of the query's text: some hundred documents written out. Variables do not count. */
export const MAX_TOKENS = 10_000;
/** Brackets of any kind within each other; parsing and printing recurse. */
export const MAX_NESTING = 32;
/** Levels of fields; the schema has six. */
export const MAX_DEPTH = 8;
/** The same below `__schema`, where tools unwrap a type's type nine times. */
export const MAX_INTROSPECTION_DEPTH = 16;
/** Fields once fragments are spread out, aliases counted each. */
export const MAX_FIELDS = 500;
/** Calls in one request; each counts against the rate limit like a request. */
export const MAX_OPERATIONS = 10;
export const MAX_DIRECTIVES = 50;
/** Sum over the lists asked for: entries of a page × fields of an entry. */
export const MAX_COST = 50_000;
