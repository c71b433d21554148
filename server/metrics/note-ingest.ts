import type { IngestResult } from "@/server/ingest/schema";
import { metrics } from "./metrics";

/** Counts what became of a call's documents and cursor, after its commit. */
export function noteIngest(result: IngestResult): void {
  const { documents, ingestCalls } = metrics();
  const counts = {
    created: result.created,
    updated: result.updated,
    skipped: result.documentsSkipped,
    deleted: result.documentsDeleted,
    rejected: result.documentsRejected.length,
  };
  for (const [outcome, count] of Object.entries(counts))
    if (count > 0) documents.inc({ result: outcome }, count);
  ingestCalls.inc({ cursor: result.cursorOutcome, conflict: String(result.conflict) });
}
