import type { Caller } from "@/server/actor";
import { type Db, Prisma } from "@/server/db";
import { keyset, type PlacedRow, type SortColumn, type TablePage } from "@/server/tables/keyset";
import type { SOURCE_SORTS } from "./choices";
import { SOURCE_COLUMNS, SOURCES_WITH_SUMS, sourceConditions, withProblems } from "./read-sources";
import type { BrowseSourcesInput } from "./schema";
import type { ApiSource, SourceRow } from "./source-shape";

type Sort = { column: SortColumn; defaultDir: "asc" | "desc" };

/** A workspace has some thousands of sources at most: sorting them in memory is a matter of milliseconds. */
const SORTS: Record<(typeof SOURCE_SORTS)[number], Sort> = {
  created: { column: { sql: Prisma.sql`s.created_at`, kind: "instant" }, defaultDir: "asc" },
  name: { column: { sql: Prisma.sql`left(lower(s.name), 200)`, kind: "text" }, defaultDir: "asc" },
  status: {
    column: {
      sql: Prisma.sql`array_position(ARRAY['needs_reconnect', 'failing', 'deleting', 'paused', 'active'], derived.status)`,
      kind: "number",
    },
    defaultDir: "asc",
  },
  feeds: { column: { sql: Prisma.sql`sums.feeds`, kind: "number" }, defaultDir: "desc" },
  documents: { column: { sql: Prisma.sql`sums.documents::numeric`, kind: "number" }, defaultDir: "desc" },
  lastSuccess: {
    column: { sql: Prisma.sql`sums.last_success_at`, kind: "instant", nullable: true },
    defaultDir: "desc",
  },
};

/**
 * The sources table: filtered, sorted, in pages both ways. Two queries however many there are.
 *
 * @throws AppError invalid_request for a cursor of another list.
 */
export async function browseSources(
  db: Db,
  { workspaceId }: Caller,
  { sort = "created", status, type, q, ...paging }: BrowseSourcesInput,
): Promise<TablePage<ApiSource>> {
  const filters = { status, type, q };
  const page = keyset({ name: "sources", filters }, { name: sort, ...SORTS[sort] }, paging, Prisma.sql`s.id`);
  const rows = await db.$queryRaw<(SourceRow & PlacedRow)[]>`
    SELECT ${SOURCE_COLUMNS}, ${page.value} AS "sortValue"
      FROM ${SOURCES_WITH_SUMS}
     WHERE ${Prisma.join([...sourceConditions(workspaceId, filters), page.where], " AND ")}
     ORDER BY ${page.orderBy}
     LIMIT ${page.take}::int`;
  const { items, ...cursors } = page.toPage(rows, (row) => row);
  return { items: await withProblems(db, workspaceId, items), ...cursors };
}
