import type { Caller } from "@/server/actor";
import { type Db, Prisma } from "@/server/db";
import { requireSource } from "@/server/sources/get-source";
import { keyset, type PlacedRow, type SortColumn, type TablePage } from "@/server/tables/keyset";
import type { FEED_SORTS } from "./choices";
import { FEED_NAME, FEED_STATUS, FEEDS, feedConditions } from "./feed-conditions";
import { readFeedFacts } from "./feed-facts";
import { type ApiFeed, feedSelect, toFeed } from "./feed-shape";
import { type BrowseFeedsInput, feedFiltersOf } from "./schema";

type Sort = { column: SortColumn; defaultDir: "asc" | "desc" };

/** A workspace has some thousands of feeds: sorting them in memory is a matter of milliseconds. */
const SORTS: Record<(typeof FEED_SORTS)[number], Sort> = {
  created: { column: { sql: Prisma.sql`f.created_at`, kind: "instant" }, defaultDir: "asc" },
  name: { column: { sql: Prisma.sql`left(lower(${FEED_NAME}), 200)`, kind: "text" }, defaultDir: "asc" },
  source: { column: { sql: Prisma.sql`left(lower(s.name), 200)`, kind: "text" }, defaultDir: "asc" },
  status: {
    column: {
      sql: Prisma.sql`array_position(ARRAY['needs_reconnect', 'failing', 'disabled', 'rate_limited', 'deleting', 'paused', 'active'], ${FEED_STATUS})`,
      kind: "number",
    },
    defaultDir: "asc",
  },
  documents: { column: { sql: Prisma.sql`f.document_count`, kind: "number" }, defaultDir: "desc" },
  lastSuccess: instant(Prisma.sql`f.last_success_at`, "desc"),
  lastNewDocument: instant(Prisma.sql`f.last_new_document_at`, "desc"),
  nextSync: instant(Prisma.sql`f.next_sync_at`, "asc"),
  failingSince: instant(Prisma.sql`f.failing_since`, "asc"),
};

function instant(sql: Prisma.Sql, defaultDir: "asc" | "desc"): Sort {
  return { column: { sql, kind: "instant", nullable: true }, defaultDir };
}

/**
 * The feeds table, of one source or of the whole workspace: filtered, sorted, in pages both ways. A
 * constant number of queries however many there are.
 *
 * @throws AppError not_found when `sourceId` names no source; invalid_request for another list's cursor.
 */
export async function browseFeeds(
  db: Db,
  caller: Caller,
  { sort = "created", ...input }: BrowseFeedsInput,
): Promise<TablePage<ApiFeed>> {
  const { workspaceId } = caller;
  if (input.sourceId !== undefined) await requireSource(db, caller, input.sourceId);
  const filters = feedFiltersOf(input);
  const page = keyset({ name: "feeds", filters }, { name: sort, ...SORTS[sort] }, input, Prisma.sql`f.id`);
  const rows = await db.$queryRaw<PlacedRow[]>`
    SELECT f.id, ${page.value} AS "sortValue"
      FROM ${FEEDS}
     WHERE ${Prisma.join([...feedConditions(workspaceId, filters), page.where], " AND ")}
     ORDER BY ${page.orderBy}
     LIMIT ${page.take}::int`;
  const { items: ids, ...cursors } = page.toPage(rows, (row) => row.id);
  return { items: await readFeeds(db, workspaceId, ids), ...cursors };
}

/** These feeds as the wire shows them, in the order of `ids`; what is gone meanwhile is left out. */
export async function readFeeds(db: Db, workspaceId: number, ids: string[]): Promise<ApiFeed[]> {
  if (ids.length === 0) return [];
  const [rows, factsOf] = await Promise.all([
    db.feed.findMany({ where: { workspaceId, id: { in: ids } }, select: feedSelect }),
    readFeedFacts(db, workspaceId, ids),
  ]);
  const now = new Date();
  const byId = new Map(rows.map((row) => [row.id, toFeed(row, factsOf(row.id), now)]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}
