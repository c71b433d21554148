import type { Caller } from "@/server/actor";
import type { Db } from "@/server/db";
import { AppError } from "@/server/errors";
import { isId } from "@/server/ids";
import { type ApiDocumentWithText, documentSelect, toDocument } from "./document-shape";

/**
 * One document with its text. A tombstone is shown as one (`deleted: true`, no content).
 *
 * @throws AppError not_found for what was purged too: a grave only keeps others from coming back.
 */
export async function getDocument(
  db: Db,
  { workspaceId }: Caller,
  { documentId }: { documentId: string },
): Promise<ApiDocumentWithText> {
  const row = isId("doc", documentId)
    ? await db.document.findUnique({
        where: { workspaceId_id: { workspaceId, id: documentId }, state: { not: "grave" } },
        select: { ...documentSelect, text: true },
      })
    : null;
  if (!row) throw documentNotFound();
  return { ...toDocument(row), text: row.text };
}

export function documentNotFound(): AppError {
  return new AppError("not_found", "There is no such document in this workspace.");
}
