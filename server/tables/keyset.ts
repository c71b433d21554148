import { createHash } from "node:crypto";
import { z } from "zod";
import { Prisma } from "@/server/db";
import { AppError } from "@/server/errors";
import { instantToIso, parseInstant } from "@/server/ingest/instant";
import { DEFAULT_LIMIT, MAX_LIMIT } from "@/server/paging";

/**
 * Keyset paging of the dashboard's tables, in both directions and by any allow-listed column. A place in
 * a list is the last row's sort value and id, so a page costs the same wherever it is, and rows that
 * come and go meanwhile neither repeat nor hide others.
 */

/** One page. `nextAfter` goes back as `after`, `prevBefore` as `before`; null where the list ends. */
export type TablePage<Item> = { items: Item[]; nextAfter: string | null; prevBefore: string | null };

export type Direction = "asc" | "desc";

/** How a sort value travels in a cursor and is cast in SQL. */
export type SortKind = "text" | "integer" | "number" | "instant" | "length";

export type SortColumn = {
  /** The expression, as in the index where there is one. */
  sql: Prisma.Sql;
  kind: SortKind;
  /** Rows without a value come last in either direction. */
  nullable?: boolean;
  /** No two rows share a value, so that it alone is the order. */
  unique?: boolean;
};

export type TableInput = { limit?: number; after?: string; before?: string; dir?: Direction };

/** A row as a table's query answers it: what is shown, and its place (`sortValue` as text). */
export type PlacedRow = { id: string; sortValue: string | null };

type Place = { value: string | null; id: string };

export type Keyset = {
  limit: number;
  /** Goes into the WHERE; TRUE on the first page. */
  where: Prisma.Sql;
  /** Goes after ORDER BY. */
  orderBy: Prisma.Sql;
  /** One more than the page: the extra row says that there are more. */
  take: number;
  /** The row's sort value as text, to be selected as "sortValue". */
  value: Prisma.Sql;
  /** The cursor of a row's place. */
  cursorOf(row: PlacedRow): string;
  toPage<Row extends PlacedRow, Item>(rows: Row[], map: (row: Row) => Item): TablePage<Item>;
};

const cursorShape = z.tuple([z.string(), z.string().max(20_000).nullable(), z.string().max(100)]);

/** Does the text cast without an error? A cursor comes from outside, however opaque it looks. */
const FITS: Record<SortKind, RegExp> = {
  text: /^[^\0]*$/s,
  integer: /^-?\d{1,18}$/,
  number: /^-?\d{1,25}(\.\d{1,12})?$/,
  instant: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}\+00$/,
  length: /^-?\d{1,12}\.\d{6}$/,
};
const CAST: Record<SortKind, (value: string) => Prisma.Sql> = {
  text: (value) => Prisma.sql`${value}::text`,
  // Not numeric: an index on integers answers comparisons with integers alone.
  integer: (value) => Prisma.sql`${value}::text::bigint`,
  number: (value) => Prisma.sql`${value}::text::numeric`,
  instant: (value) => Prisma.sql`${value}::text::timestamptz`,
  length: (value) => Prisma.sql`${`${value} seconds`}::text::interval`,
};
const ID = /^[a-z0-9_]{1,60}$/;

/**
 * @param table names the list and its filters: a cursor of another list, another order or other filters
 *   is refused, because its place means nothing there.
 * @param id the column that makes the order total.
 * @throws AppError invalid_request for a cursor that this list never gave out, or for both at once.
 */
export function keyset(
  table: { name: string; filters: unknown },
  sort: { name: string; column: SortColumn; defaultDir: Direction },
  input: TableInput,
  id: Prisma.Sql,
): Keyset {
  if (input.after !== undefined && input.before !== undefined) throw refused("before");
  const dir = input.dir ?? sort.defaultDir;
  const backwards = input.before !== undefined;
  const limit = Math.min(Math.max(input.limit ?? DEFAULT_LIMIT, 1), MAX_LIMIT);
  const { column } = sort;
  const mark = markOf(table, sort.name, dir);
  const token = input.after ?? input.before;
  const place = token === undefined ? null : decode(token, mark, column, backwards ? "before" : "after");
  const ascending = (dir === "asc") !== backwards;

  return {
    limit,
    take: limit + 1,
    where: place ? beyond(column, id, place, ascending, backwards) : Prisma.sql`TRUE`,
    orderBy: order(column, id, ascending, backwards),
    value: toText(column),
    cursorOf: (row) => encode(mark, row),
    toPage(rows, map) {
      const hasMore = rows.length > limit;
      const shown = rows.slice(0, limit);
      if (backwards) shown.reverse();
      const first = shown[0];
      const last = shown.at(-1);
      // Coming from a page, there is that page on its side.
      const hasNext = backwards || hasMore;
      const hasPrevious = backwards ? hasMore : place !== null;
      return {
        items: shown.map(map),
        nextAfter: hasNext && last ? encode(mark, last) : null,
        prevBefore: hasPrevious && first ? encode(mark, first) : null,
      };
    },
  };
}

function order(column: SortColumn, id: Prisma.Sql, ascending: boolean, backwards: boolean): Prisma.Sql {
  const way = ascending ? Prisma.sql`ASC` : Prisma.sql`DESC`;
  if (column.unique) return Prisma.sql`${column.sql} ${way}`;
  if (!column.nullable) return Prisma.sql`${column.sql} ${way}, ${id} ${way}`;
  const nulls = backwards ? Prisma.sql`NULLS FIRST` : Prisma.sql`NULLS LAST`;
  return Prisma.sql`${column.sql} ${way} ${nulls}, ${id} ${way}`;
}

/** Rows on the far side of a place. */
function beyond(
  column: SortColumn,
  id: Prisma.Sql,
  { value, id: placeId }: Place,
  ascending: boolean,
  backwards: boolean,
): Prisma.Sql {
  const than = ascending ? Prisma.sql`>` : Prisma.sql`<`;
  const { sql } = column;
  if (value === null) {
    const sameIsBeyond = Prisma.sql`(${sql} IS NULL AND ${id} ${than} ${placeId})`;
    return backwards ? Prisma.sql`(${sql} IS NOT NULL OR ${sameIsBeyond})` : sameIsBeyond;
  }
  const cast = CAST[column.kind](value);
  if (column.unique) return Prisma.sql`${sql} ${than} ${cast}`;
  // As a row comparison it is one range of an index.
  const rows = Prisma.sql`(${sql}, ${id}) ${than} (${cast}, ${placeId})`;
  return column.nullable && !backwards ? Prisma.sql`(${rows} OR ${sql} IS NULL)` : rows;
}

/** Exact, whatever the session's settings: microseconds and every digit come back as they were. */
function toText({ sql, kind }: SortColumn): Prisma.Sql {
  if (kind === "instant")
    return Prisma.sql`to_char(${sql} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"+00"')`;
  return kind === "length"
    ? Prisma.sql`extract(epoch FROM ${sql})::numeric(18, 6)::text`
    : Prisma.sql`(${sql})::text`;
}

function markOf(table: { name: string; filters: unknown }, sort: string, dir: Direction): string {
  return createHash("sha256")
    .update(JSON.stringify([table.name, table.filters, sort, dir]))
    .digest("base64url")
    .slice(0, 12);
}

function encode(mark: string, { sortValue, id }: PlacedRow): string {
  return Buffer.from(JSON.stringify([mark, sortValue, id])).toString("base64url");
}

function decode(token: string, mark: string, column: SortColumn, path: "after" | "before"): Place {
  const parsed = cursorShape.safeParse(readJson(Buffer.from(token, "base64url").toString()));
  if (!parsed.success) throw refused(path);
  const [theirs, value, id] = parsed.data;
  const fits = value === null ? column.nullable === true : isOfKind(column.kind, value);
  if (theirs !== mark || !fits || !ID.test(id)) throw refused(path);
  return { value, id };
}

function isOfKind(kind: SortKind, value: string): boolean {
  if (!FITS[kind].test(value)) return false;
  // A day that no calendar has looks like one that it has.
  if (kind !== "instant") return true;
  const instant = parseInstant(`${value}:00`);
  return instant !== null && instantToIso(instant) !== null;
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function refused(path: "after" | "before"): AppError {
  return new AppError("invalid_request", `\`${path}\` is not a value that this list gave out.`, {
    fields: [
      {
        path,
        code: `invalid_${path}`,
        message: "Send the value of a page of this list, with the same order and filters.",
      },
    ],
  });
}
