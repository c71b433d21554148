import type { CursorDecision } from "./decide-cursor";
import type { Batch } from "./prepare-batch";
import type { Counts, IngestResult, IngestWarning } from "./schema";
import type { Outcome } from "./upsert-documents";

/** Counts the outcomes; a `version_missing` verdict joins the batch's rejections. */
export function settle(batch: Batch, outcomes: Outcome[]): { counts: Counts; liveDelta: number } {
  const counts: Counts = { created: 0, updated: 0, skipped: batch.skipped, deleted: 0, rejected: 0 };
  let liveDelta = 0;
  outcomes.forEach(({ verdict, wasLive }, i) => {
    const document = batch.documents[i];
    if (!document) throw new Error("more outcomes than documents");
    if (verdict === "create") {
      counts.created += 1;
      liveDelta += 1;
    } else if (verdict === "update") counts.updated += 1;
    else if (verdict === "tombstone") {
      counts.deleted += 1;
      if (wasLive) liveDelta -= 1;
    } else if (verdict === "version_missing") {
      batch.rejections.push({
        index: document.index,
        id: document.externalId,
        code: "version_missing",
        message: "The stored document has a version, so a change needs one too.",
      });
    } else counts.skipped += 1;
  });
  batch.rejections.sort((a, b) => a.index - b.index);
  counts.rejected = batch.rejections.length;
  return { counts, liveDelta };
}

export function describeWarnings(
  decision: CursorDecision,
  feed: { cursor: string | null },
  inRun: boolean,
): IngestWarning[] {
  const warnings: IngestWarning[] = [];
  if (decision.conflict) {
    const stored = feed.cursor === null ? "no cursor" : `"${shorten(feed.cursor)}"`;
    warnings.push({
      code: "cursor_conflict",
      message: `Someone else synced this feed meanwhile: ${stored} is stored, not what you read. The documents were stored all the same.`,
    });
  }
  if (decision.clamped) {
    warnings.push({
      code: "cursor_clamped",
      message: `The cursor lies in the future; ${inRun ? "the run's start" : "the time now"} was taken instead.`,
    });
  }
  if (decision.outcome === "kept") {
    warnings.push({
      code: "cursor_kept",
      message:
        decision.watermark === "token"
          ? "Tokens have no order, so one moves only when the call's `cursorBefore` is what is stored; the stored one was kept."
          : "The cursor is behind the stored one, or what was read before it lies ahead of a reset; the stored one was kept.",
    });
  }
  return warnings;
}

function shorten(text: string): string {
  return text.length > 80 ? `${text.slice(0, 60)}…${text.slice(-12)}` : text;
}

export function describeResult(
  batch: Batch,
  counts: Counts,
  decision: CursorDecision,
  warnings: IngestWarning[],
  runId: string,
): IngestResult {
  return {
    documentsIndexed: counts.created + counts.updated,
    documentsSkipped: counts.skipped,
    documentsDeleted: counts.deleted,
    created: counts.created,
    updated: counts.updated,
    documentsRejected: batch.rejections,
    cursor: decision.cursor,
    cursorOutcome: decision.outcome,
    conflict: decision.conflict,
    warnings,
    runId,
  };
}
