import { AppError } from "@/server/errors";

/** One page of a list. `nextAfter` goes back as `after`; null on the last page. */
export type Page<T> = { items: T[]; nextAfter: string | null };

export const DEFAULT_LIMIT = 50;
export const MAX_LIMIT = 200;

/** What every list takes beside its filters. */
export type PageInput = { limit?: number; after?: string };

/**
 * Cuts a page out of `limit + 1` rows: the extra one only says that there is more.
 *
 * @param list names the list, so that one list's `after` is refused by another.
 * @param positionOf the row's place in the list's order: an id, or a seq.
 */
export function toPage<Row, Item>(
  rows: Row[],
  options: { list: string; limit: number; positionOf: (row: Row) => string; map: (row: Row) => Item },
): Page<Item> {
  const shown = rows.slice(0, options.limit);
  const last = shown.at(-1);
  const hasMore = rows.length > options.limit && last !== undefined;
  return {
    items: shown.map(options.map),
    nextAfter: hasMore ? encodeAfter(options.list, options.positionOf(last)) : null,
  };
}

/** Opaque to clients: what is inside may change, so nobody should build one. */
export function encodeAfter(list: string, position: string): string {
  return Buffer.from(`${list}:${position}`).toString("base64url");
}

/**
 * @returns the position behind `after`, null when none was given.
 * @throws AppError invalid_request when this list never gave out such a value.
 */
export function decodeAfter(list: string, after: string | undefined): string | null {
  if (after === undefined) return null;
  const position = Buffer.from(after, "base64url").toString("latin1");
  const prefix = `${list}:`;
  if (position.startsWith(prefix) && /^[a-z0-9_]{1,60}$/.test(position.slice(prefix.length))) {
    return position.slice(prefix.length);
  }
  throw refusedAfter();
}

/** The same for a list in the order of seqs. */
export function decodeAfterSeq(list: string, after: string | undefined): bigint | null {
  const position = decodeAfter(list, after);
  if (position === null) return null;
  // Any letters and digits decode; a bigint column takes no more than these.
  if (/^\d{1,18}$/.test(position)) return BigInt(position);
  throw refusedAfter();
}

/** @returns the page size to read: what was asked for, within bounds. */
export function limitOf(input: PageInput): number {
  return Math.min(Math.max(input.limit ?? DEFAULT_LIMIT, 1), MAX_LIMIT);
}

function refusedAfter(): AppError {
  return new AppError("invalid_request", "`after` is not a value that this list gave out.", {
    fields: [
      { path: "after", code: "invalid_after", message: "Send `nextAfter` of the page before, unchanged." },
    ],
  });
}
