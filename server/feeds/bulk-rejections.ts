import { audit } from "@/server/access/audit";
import type { Caller } from "@/server/actor";
import type { Db } from "@/server/db";
import { retryRejection } from "@/server/ingest/retry-rejection";
import { publish } from "@/server/live/publish";
import { type BulkResult, forEach } from "@/server/tables/bulk";
import { inTransaction } from "@/server/transaction";
import type { BulkRejectionsInput } from "./schema";

/** Sends up to 50 rejected items again as they were kept. `changed` false: refused again. */
export async function retryRejections(
  db: Db,
  caller: Caller,
  { rejections }: BulkRejectionsInput,
): Promise<BulkResult> {
  const feedOf = feedsById(rejections);
  return forEach([...feedOf.keys()], async (rejectionId) => {
    const feedId = feedOf.get(rejectionId) ?? "";
    const { documentsRejected, runId } = await retryRejection(db, caller, { feedId, rejectionId });
    return { changed: documentsRejected.length === 0, runId };
  });
}

/** Takes up to 50 rejected items off the list for good. What they were stays in the audit log. */
export async function discardRejections(
  db: Db,
  caller: Caller,
  { rejections }: BulkRejectionsInput,
): Promise<BulkResult> {
  const { workspaceId } = caller;
  const feedOf = feedsById(rejections);
  const result = await forEach([...feedOf.keys()], (id) =>
    inTransaction(db, async (tx) => {
      const feedId = feedOf.get(id) ?? "";
      const [gone] = await tx.$queryRaw<{ externalId: string | null; code: string }[]>`
        DELETE FROM rejected_documents
         WHERE workspace_id = ${workspaceId}::int AND id = ${id} AND feed_id = ${feedId}
        RETURNING external_id AS "externalId", code`;
      if (gone) await audit(tx, caller, "rejection.discard", feedId, { rejectionId: id, ...gone });
      return { changed: gone !== undefined };
    }),
  );
  if (result.changed > 0) publish(db, caller, { feed: [...feedOf.values()] });
  return result;
}

function feedsById(rejections: BulkRejectionsInput["rejections"]): Map<string, string> {
  return new Map(rejections.map(({ feedId, rejectionId }) => [rejectionId, feedId]));
}
