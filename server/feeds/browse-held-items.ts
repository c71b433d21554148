import type { Caller } from "@/server/actor";
import { type Db, Prisma } from "@/server/db";
import { AppError } from "@/server/errors";
import { keyset, type PlacedRow, type TablePage } from "@/server/tables/keyset";
import { containing } from "@/server/tables/like";
import { requireFeed } from "./get-feed";
import type { BrowseHeldItemsInput } from "./schema";

/** A document that a held sweep would delete. */
export type HeldItem = {
  documentId: string;
  externalId: string | null;
  title: string | null;
  url: string | null;
  /** It changed or went since the listing: approving spares it. */
  isSpared: boolean;
};

type Row = HeldItem & PlacedRow;

/**
 * What a held sweep would delete, all of it, in pages both ways. In the order of the documents' ids, which
 * means nothing to people but costs the same however many there are; they search.
 *
 * @throws AppError feed_not_found; not_found when the hold was decided or replaced; invalid_request for
 *   another list's cursor.
 */
export async function browseHeldItems(
  db: Db,
  caller: Caller,
  { feedId, holdId, q, ...paging }: BrowseHeldItemsInput,
): Promise<TablePage<HeldItem>> {
  const { workspaceId } = caller;
  await requireFeed(db, caller, feedId);
  const hold = await db.heldDelete.findFirst({
    where: { workspaceId, id: holdId, feedId, status: "held" },
    select: { id: true },
  });
  if (!hold) {
    throw new AppError(
      "not_found",
      "These held deletes were decided already, or a later listing replaced them.",
    );
  }
  const page = keyset(
    { name: "held-items", filters: { holdId, q } },
    { name: "id", column: { sql: Prisma.sql`i.document_id`, kind: "text", unique: true }, defaultDir: "asc" },
    paging,
    Prisma.sql`i.document_id`,
  );
  const conditions = [Prisma.sql`i.workspace_id = ${workspaceId}::int AND i.hold_id = ${holdId}`, page.where];
  if (q !== undefined) {
    conditions.push(Prisma.sql`(d.title ILIKE ${containing(q)} OR d.external_id ILIKE ${containing(q)})`);
  }
  const rows = await db.$queryRaw<Row[]>`
    SELECT i.document_id AS id, i.document_id AS "documentId", d.external_id AS "externalId", d.title, d.url,
           (d.seq IS DISTINCT FROM i.seq OR d.state <> 'live') AS "isSpared", ${page.value} AS "sortValue"
      FROM held_delete_items i JOIN documents d ON d.workspace_id = i.workspace_id AND d.id = i.document_id
     WHERE ${Prisma.join(conditions, " AND ")}
     ORDER BY ${page.orderBy}
     LIMIT ${page.take}::int`;
  return page.toPage(rows, ({ id: _, sortValue: __, ...item }) => item);
}
