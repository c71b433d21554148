import type { Caller } from "@/server/actor";
import { type Db, Prisma } from "@/server/db";
import { readRunNames } from "@/server/runs/read-run-names";
import { requireSource } from "@/server/sources/get-source";
import { keyset, type PlacedRow, type SortColumn, type TablePage } from "@/server/tables/keyset";
import { containing } from "@/server/tables/like";
import type { REJECTION_SORTS } from "./choices";
import { requireFeed } from "./get-feed";
import type { ApiRejection } from "./list-rejections";
import type { BrowseRejectionsInput, RejectionFilters } from "./schema";

export type ListedRejection = ApiRejection & {
  feedId: string;
  sourceId: string;
  feedName: string | null;
  sourceName: string | null;
};

const SORTS: Record<(typeof REJECTION_SORTS)[number], SortColumn> = {
  /** By when it was first refused: ids are made then. */
  first: { sql: Prisma.sql`r.id`, kind: "text", unique: true },
  last: { sql: Prisma.sql`r.last_at`, kind: "instant" },
  occurrences: { sql: Prisma.sql`r.occurrences`, kind: "integer" },
};

type Row = Omit<ApiRejection, "at" | "lastAt"> &
  PlacedRow & { feedId: string; sourceId: string; at: Date; lastAt: Date };

/**
 * Items that could not be stored, of one feed or of the whole workspace, newest first unless asked
 * otherwise. A constant number of queries.
 *
 * @throws AppError feed_not_found, not_found for an unknown source; invalid_request for another list's
 *   cursor.
 */
export async function browseRejections(
  db: Db,
  caller: Caller,
  { sort = "first", ...input }: BrowseRejectionsInput,
): Promise<TablePage<ListedRejection>> {
  const { workspaceId } = caller;
  const { feedId, sourceId, code, q } = input;
  if (feedId !== undefined) await requireFeed(db, caller, feedId);
  if (sourceId !== undefined) await requireSource(db, caller, sourceId);
  const page = keyset(
    { name: "rejections", filters: { feedId, sourceId, code, q } },
    { name: sort, column: SORTS[sort], defaultDir: "desc" },
    input,
    Prisma.sql`r.id`,
  );
  const rows = await db.$queryRaw<Row[]>`
    SELECT r.id, r.feed_id AS "feedId", f.source_id AS "sourceId", r.external_id AS "externalId", r.code,
           r.message, r.payload, r.run_id AS "runId", r.at, r.occurrences, r.last_at AS "lastAt",
           ${page.value} AS "sortValue"
      FROM ${REJECTIONS}
     WHERE ${Prisma.join([...rejectionConditions(workspaceId, input), page.where], " AND ")}
     ORDER BY ${page.orderBy}
     LIMIT ${page.take}::int`;
  const { items, ...cursors } = page.toPage(rows, (row) => row);
  const namesOf = await readRunNames(db, workspaceId, items);
  return {
    items: items.map(({ sortValue: _, at, lastAt, ...row }) => ({
      ...row,
      at: at.toISOString(),
      lastAt: lastAt.toISOString(),
      ...namesOf(row),
    })),
    ...cursors,
  };
}

/** Rejected items with their feeds, under the names that the conditions use. */
export const REJECTIONS = Prisma.sql`
  rejected_documents r JOIN feeds f ON f.workspace_id = r.workspace_id AND f.id = r.feed_id`;

/** The filters of the table and of acts on all that match. */
export function rejectionConditions(
  workspaceId: number,
  { feedId, sourceId, code, q }: RejectionFilters,
): Prisma.Sql[] {
  const conditions = [Prisma.sql`r.workspace_id = ${workspaceId}::int`];
  if (feedId !== undefined) conditions.push(Prisma.sql`r.feed_id = ${feedId}`);
  if (sourceId !== undefined) conditions.push(Prisma.sql`f.source_id = ${sourceId}`);
  if (code !== undefined) conditions.push(Prisma.sql`r.code = ${code}`);
  if (q !== undefined) {
    conditions.push(Prisma.sql`(r.external_id ILIKE ${containing(q)} OR r.message ILIKE ${containing(q)})`);
  }
  return conditions;
}
