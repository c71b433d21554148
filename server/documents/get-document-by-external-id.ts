import type { Caller } from "@/server/actor";
import type { Db } from "@/server/db";
import { AppError } from "@/server/errors";
import { requireFeed } from "@/server/feeds/get-feed";
import { documentId } from "@/server/ingest/document-id";
import { PUSH_TYPE } from "@/server/sources/check-config";
import type { ApiDocumentWithText } from "./document-shape";
import { documentNotFound, getDocument } from "./get-document";

/** No longer id was ever accepted, and hashing one would be for nothing. */
const MAX_ID_BYTES = 8192;

/**
 * A feed's document by the id its upstream gave it: exactly that id, else the one published under it
 * by an adapter that decides identity by another key, else the one whose key is that id with the
 * scheme folded to https. Ids that only programs pushed are never folded: to them http and https are two.
 *
 * @throws AppError feed_not_found; document_deleted for a tombstone; not_found, for graves too.
 */
export async function getDocumentByExternalId(
  db: Db,
  caller: Caller,
  { feedId, externalId }: { feedId: string; externalId: string },
): Promise<ApiDocumentWithText> {
  await requireFeed(db, caller, feedId);
  const isPossible = !externalId.includes("\0") && Buffer.byteLength(externalId) <= MAX_ID_BYTES;
  const found = isPossible ? await find(db, caller.workspaceId, feedId, externalId) : undefined;
  if (!found) throw documentNotFound();
  if (found.state === "tombstone") {
    throw new AppError("document_deleted", "This document was deleted.", { extra: { documentId: found.id } });
  }
  return getDocument(db, caller, { documentId: found.id });
}

async function find(db: Db, workspaceId: number, feedId: string, externalId: string) {
  const exact = documentId(feedId, externalId);
  const folded = documentId(feedId, externalId.replace(/^http:/i, "https:"));
  // Raw for the expression index documents_external_id and the order of the three ways.
  const [row] = await db.$queryRaw<{ id: string; state: "live" | "tombstone" }[]>`
    SELECT id, state::text FROM (
      SELECT id, state, CASE WHEN external_id = ${externalId} THEN 1 WHEN id = ${exact} THEN 2 ELSE 3 END AS rank
        FROM documents
       WHERE workspace_id = ${workspaceId}::int
         AND (id = ${exact} OR (id = ${folded} AND (key IS NOT NULL OR EXISTS (
           SELECT 1 FROM sources s
            WHERE s.workspace_id = ${workspaceId}::int AND s.id = documents.source_id AND s.type <> ${PUSH_TYPE}))))
      UNION ALL
      SELECT id, state, 1 FROM documents
       WHERE workspace_id = ${workspaceId}::int AND feed_id = ${feedId} AND key IS NOT NULL
         AND hashtextextended(external_id, 0) = hashtextextended(${externalId}, 0) AND external_id = ${externalId}
    ) found
     WHERE state <> 'grave'
     ORDER BY rank, (state = 'live') DESC
     LIMIT 1`;
  return row;
}
