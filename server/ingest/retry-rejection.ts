import type { Caller } from "@/server/actor";
import type { Db } from "@/server/db";
import { AppError } from "@/server/errors";
import { ingestDocuments } from "./ingest-documents";
import type { IngestResult } from "./schema";

/** Their payload was cut or cleaned for keeping, so sending it again would store something else. */
const NEEDS_REPLACEMENT = new Set([
  "external_id_invalid",
  "external_id_too_long",
  "text_too_large",
  "metadata_too_large",
]);

/**
 * Sends a rejected item again, as kept or as replaced by `document`. Accepted, it leaves the list;
 * refused again, it stays with the newer reason.
 *
 * @throws AppError not_found; invalid_request when the kept item is not what was sent.
 */
export async function retryRejection(
  db: Db,
  caller: Caller,
  { feedId, rejectionId, document }: { feedId: string; rejectionId: string; document?: unknown },
): Promise<IngestResult> {
  const { workspaceId } = caller;
  const rejection = await db.rejectedDocument.findFirst({ where: { workspaceId, id: rejectionId, feedId } });
  if (!rejection) throw new AppError("not_found", "This feed has no such rejected document.");
  if (document === undefined && NEEDS_REPLACEMENT.has(rejection.code)) {
    throw new AppError(
      "invalid_request",
      `What was sent could not be kept whole (${rejection.code}), so it cannot be sent again from here. Mend it at the source.`,
    );
  }
  const result = await ingestDocuments(db, caller, {
    feedId,
    documents: [document ?? rejection.payload],
    fromAdapter: await cameFromAdapter(db, workspaceId, rejection.runId),
  });
  if (result.documentsRejected.length === 0) {
    await db.rejectedDocument.deleteMany({ where: { workspaceId, id: rejectionId, feedId } });
  }
  return result;
}

/** Its `key` means identity only if an adapter sent it. */
async function cameFromAdapter(db: Db, workspaceId: number, runId: string | null): Promise<boolean> {
  if (runId === null) return false;
  const run = await db.syncRun.findUnique({
    where: { workspaceId_id: { workspaceId, id: runId } },
    select: { executor: true },
  });
  return run?.executor === "cloud";
}
