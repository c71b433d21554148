import type { Caller } from "@/server/actor";
import { type Db, Prisma } from "@/server/db";
import { type BulkResult, forEach } from "@/server/tables/bulk";
import { deleteSource } from "./delete-source";
import { pauseSourceRow } from "./pause-source";
import { SOURCES_WITH_SUMS, type SourceFilter, sourceConditions } from "./read-sources";
import { resumeSourceRow } from "./resume-source";
import type { BulkSourcesInput } from "./schema";
import { syncSource } from "./sync-source";

const MAX_IDS = 5_000;

/**
 * Pauses, resumes, syncs or deletes up to 100 sources, each like the single act. Who acts on more sends
 * one call after the other; `changed` says which ones undoing concerns.
 */
export async function bulkSources(
  db: Db,
  caller: Caller,
  { sourceIds, action }: BulkSourcesInput,
): Promise<BulkResult> {
  switch (action) {
    case "pause":
      return forEach(sourceIds, (sourceId) => pauseSourceRow(db, caller, { sourceId }));
    case "resume":
      return forEach(sourceIds, (sourceId) => resumeSourceRow(db, caller, { sourceId }));
    case "delete":
      return forEach(sourceIds, async (sourceId) => {
        await deleteSource(db, caller, { sourceId });
        return { changed: true };
      });
    case "sync":
      return forEach(sourceIds, async (sourceId) => {
        const { runs } = await syncSource(db, caller, { sourceId });
        return { changed: runs.some((run) => !run.joined), runId: runs[0]?.runId ?? null };
      });
  }
}

export type MatchingSources = {
  sources: { id: string; name: string; feedCount: number; documentCount: number }[];
  /** True when there are more than 5,000; then only the first are named. */
  truncated: boolean;
};

/** All sources that the table's filters match, for acts on all of them. One query. */
export async function listMatchingSources(
  db: Db,
  { workspaceId }: Caller,
  filters: Pick<SourceFilter, "status" | "type" | "q">,
): Promise<MatchingSources> {
  const sources = await db.$queryRaw<MatchingSources["sources"]>`
    SELECT s.id, s.name, sums.feeds AS "feedCount", sums.documents AS "documentCount"
      FROM ${SOURCES_WITH_SUMS}
     WHERE ${Prisma.join(sourceConditions(workspaceId, filters), " AND ")} AND s.state <> 'deleting'
     ORDER BY s.created_at, s.id
     LIMIT ${MAX_IDS + 1}::int`;
  return { sources: sources.slice(0, MAX_IDS), truncated: sources.length > MAX_IDS };
}
