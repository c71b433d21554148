import { audit } from "@/server/access/audit";
import type { Caller } from "@/server/actor";
import { type Db, Prisma } from "@/server/db";
import { retryRejection } from "@/server/ingest/retry-rejection";
import { publish } from "@/server/live/publish";
import { type BulkResult, forEach } from "@/server/tables/bulk";
import { inTransaction } from "@/server/transaction";
import { REJECTIONS, rejectionConditions } from "./browse-rejections";
import type { BulkRejectionsInput, RejectionFilters } from "./schema";

/** More items than this are no selection any more. */
const MAX_IDS = 5_000;

export type MatchingRejections = {
  rejections: { id: string; feedId: string; externalId: string | null }[];
  /** True when there are more than 5,000; then only the newest are named. */
  truncated: boolean;
};

/** All rejected items that the table's filters match, for acts on all of them. One query. */
export async function listMatchingRejections(
  db: Db,
  { workspaceId }: Caller,
  filters: RejectionFilters,
): Promise<MatchingRejections> {
  const rejections = await db.$queryRaw<MatchingRejections["rejections"]>`
    SELECT r.id, r.feed_id AS "feedId", left(r.external_id, 300) AS "externalId"
      FROM ${REJECTIONS}
     WHERE ${Prisma.join(rejectionConditions(workspaceId, filters), " AND ")}
     ORDER BY r.id DESC
     LIMIT ${MAX_IDS + 1}::int`;
  return { rejections: rejections.slice(0, MAX_IDS), truncated: rejections.length > MAX_IDS };
}

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
