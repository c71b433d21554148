import type { Caller } from "@/server/actor";
import { type Db, Prisma } from "@/server/db";
import { requireFeed } from "@/server/feeds/get-feed";
import { readRunNames } from "@/server/runs/read-run-names";
import { requireSource } from "@/server/sources/get-source";
import { type Keyset, keyset, type PlacedRow, type TablePage } from "@/server/tables/keyset";
import { containing } from "@/server/tables/like";
import { type ApiDocument, documentSelect, toDocument } from "./document-shape";
import type { BrowseDocumentsInput, DocumentFilters } from "./schema";

export type ListedDocument = ApiDocument & { feedName: string | null; sourceName: string | null };

/**
 * Documents that a page looks at while it filters by title or date, for which there is no index: a page
 * costs the same however rare a match is. It may then be short, or even empty, and `nextAfter` goes on.
 */
const WINDOW = 20_000;

/**
 * The documents table: by latest change, newest first unless turned round, in pages both ways. A
 * constant number of queries however many there are.
 *
 * @throws AppError feed_not_found, not_found for an unknown source; invalid_request for another list's
 *   cursor.
 */
export async function browseDocuments(
  db: Db,
  caller: Caller,
  input: BrowseDocumentsInput,
): Promise<TablePage<ListedDocument>> {
  const { workspaceId } = caller;
  const { feedId, sourceId, q, since, until } = input;
  if (feedId !== undefined) await requireFeed(db, caller, feedId);
  if (sourceId !== undefined) await requireSource(db, caller, sourceId);
  const state = input.state ?? (input.deleted ? "deleted" : "live");
  const filters: DocumentFilters = { feedId, sourceId, state, q, since, until };
  const page = keyset(
    { name: "documents", filters },
    {
      name: "changed",
      column: { sql: Prisma.sql`d.seq`, kind: "integer", unique: true },
      defaultDir: "desc",
    },
    { ...input, dir: input.dir ?? (input.order === "oldest" ? "asc" : undefined) },
    Prisma.sql`d.id`,
  );
  const { rows, edge } = await readPlaces(db, workspaceId, filters, page);
  const { items: ids, ...cursors } = page.toPage(rows, (row) => row.id);
  if (edge && rows.length <= page.limit) {
    if (input.before !== undefined) cursors.prevBefore = page.cursorOf(edge);
    else cursors.nextAfter = page.cursorOf(edge);
  }
  return { items: await readDocuments(db, workspaceId, ids), ...cursors };
}

type Place = PlacedRow & { isEdge: boolean };

/** @returns the page's places, and where the window ended if it did before the list. */
async function readPlaces(
  db: Db,
  workspaceId: number,
  filters: DocumentFilters,
  page: Keyset,
): Promise<{ rows: Place[]; edge: Place | undefined }> {
  const within = Prisma.join([...indexed(workspaceId, filters), page.where], " AND ");
  const walked = walkedConditions(filters);
  if (walked.length === 0) {
    const rows = await db.$queryRaw<Place[]>`
      SELECT d.id, ${page.value} AS "sortValue", false AS "isEdge"
        FROM documents d WHERE ${within} ORDER BY ${page.orderBy} LIMIT ${page.take}::int`;
    return { rows, edge: undefined };
  }
  const places = await db.$queryRaw<Place[]>`
    WITH d AS MATERIALIZED (
      SELECT d.id, d.seq, d.title, d.date
        FROM documents d WHERE ${within} ORDER BY ${page.orderBy} LIMIT ${WINDOW}::int
    )
    (SELECT d.id, ${page.value} AS "sortValue", false AS "isEdge"
       FROM d WHERE ${Prisma.join(walked, " AND ")} ORDER BY ${page.orderBy} LIMIT ${page.take}::int)
    UNION ALL
    (SELECT d.id, ${page.value}, true FROM d ORDER BY ${page.orderBy} OFFSET ${WINDOW - 1}::int LIMIT 1)`;
  return { rows: places.filter((place) => !place.isEdge), edge: places.find((place) => place.isEdge) };
}

async function readDocuments(db: Db, workspaceId: number, ids: string[]): Promise<ListedDocument[]> {
  if (ids.length === 0) return [];
  const rows = await db.document.findMany({
    where: { workspaceId, id: { in: ids }, state: { not: "grave" } },
    select: documentSelect,
  });
  const namesOf = await readRunNames(db, workspaceId, rows);
  const byId = new Map(rows.map((row) => [row.id, { ...toDocument(row), ...namesOf(row) }]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/** What has no index and is looked at row by row. */
function walkedConditions({ q, since, until }: DocumentFilters): Prisma.Sql[] {
  const conditions: Prisma.Sql[] = [];
  if (q !== undefined) conditions.push(Prisma.sql`d.title ILIKE ${containing(q)}`);
  if (since !== undefined) conditions.push(Prisma.sql`d.date >= ${since.toISOString()}::text::timestamptz`);
  if (until !== undefined) conditions.push(Prisma.sql`d.date < ${until.toISOString()}::text::timestamptz`);
  return conditions;
}

/** What an index answers. */
function indexed(workspaceId: number, { feedId, sourceId, state }: DocumentFilters): Prisma.Sql[] {
  const conditions = [Prisma.sql`d.workspace_id = ${workspaceId}::int`, Prisma.sql`d.seq IS NOT NULL`];
  if (feedId !== undefined) conditions.push(Prisma.sql`d.feed_id = ${feedId}`);
  if (sourceId !== undefined) conditions.push(Prisma.sql`d.source_id = ${sourceId}`);
  if (state === "live") conditions.push(Prisma.sql`d.state = 'live'`);
  if (state === "deleted") conditions.push(Prisma.sql`d.state = 'tombstone'`);
  return conditions;
}
