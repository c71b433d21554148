import type { Caller } from "@/server/actor";
import type { Db } from "@/server/db";
import { requireFeed } from "@/server/feeds/get-feed";
import { decodeAfterSeq, limitOf, type Page, toPage } from "@/server/paging";
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
  const after = decodeAfterSeq(list, input.after);
  await requireFeed(db, caller, input.feedId);
  const limit = limitOf(input);
  const rows = await db.document.findMany({
    where: {
      workspaceId,
      feedId: input.feedId,
      state: input.deleted ? "tombstone" : "live",
      // Said on the first page too: the index by seq is partial, and without it the whole workspace is read.
      seq: { not: null, ...(after !== null && (newestFirst ? { lt: after } : { gt: after })) },
    },
    select: documentSelect,
    orderBy: { seq: newestFirst ? "desc" : "asc" },
    take: limit + 1,
  });
  return toPage(rows, { list, limit, positionOf: (row) => String(row.seq), map: toDocument });
}
