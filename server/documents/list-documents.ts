import type { Caller } from "@/server/actor";
import type { Db } from "@/server/db";
import { requireFeed } from "@/server/feeds/get-feed";
import { decodeAfter, limitOf, type Page, toPage } from "@/server/paging";
import { type ApiDocument, documentSelect, toDocument } from "./document-shape";
import type { ListDocumentsInput } from "./schema";

/**
 * A feed's documents by their latest change, without text. From old to new by default: a document
 * that changes during the walk moves ahead of it and is seen again, never missed.
 *
 * @throws AppError feed_not_found
 */
export async function listDocuments(
  db: Db,
  caller: Caller,
  input: ListDocumentsInput,
): Promise<Page<ApiDocument>> {
  const { workspaceId } = caller;
  const newestFirst = input.order === "newest";
  const list = newestFirst ? "documents_newest" : "documents";
  const after = decodeAfter(list, input.after);
  await requireFeed(db, caller, input.feedId);
  const limit = limitOf(input);
  const seq = after === null ? undefined : BigInt(after);
  const rows = await db.document.findMany({
    where: {
      workspaceId,
      feedId: input.feedId,
      state: input.deleted ? "tombstone" : "live",
      ...(seq !== undefined && { seq: newestFirst ? { lt: seq } : { gt: seq } }),
    },
    select: documentSelect,
    orderBy: { seq: newestFirst ? "desc" : "asc" },
    take: limit + 1,
  });
  return toPage(rows, { list, limit, positionOf: (row) => String(row.seq), map: toDocument });
}
