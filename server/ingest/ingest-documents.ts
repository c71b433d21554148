import type { Caller } from "@/server/actor";
import type { Db } from "@/server/db";
import { env } from "@/server/env";
import { AppError } from "@/server/errors";
import { newId } from "@/server/ids";
import { publish } from "@/server/live/publish";
import { inSqlTransaction, type SqlTx } from "@/server/sql-transaction";
import { type CursorDecision, decideCursor } from "./decide-cursor";
import { type LockedFeed, lockFeed, requireWritable } from "./lock-feed";
import { type Batch, prepareItems, settleBatch } from "./prepare-batch";
import type { PreparedItem } from "./prepare-document";
import {
  type CallRecord,
  recordOnFeed,
  recordOnRun,
  recordRejections,
  recordSeenKeys,
  recordTransition,
} from "./record-call";
import {
  type Counts,
  type IngestInput,
  type IngestResult,
  type IngestWarning,
  MAX_DOCUMENTS,
} from "./schema";
import { type Outcome, upsertDocuments } from "./upsert-documents";

/**
 * Stores one page of documents and moves the feed's cursor: both, or neither.
 *
 * The call is idempotent: repeated after a lost answer it changes nothing and answers the same cursor.
 * Without `runId` it is its own run in the audit trail.
 *
 * @returns Counts that add up to the documents sent, and the authoritative cursor. After `kept` with a
 *   conflict, fetch again from that cursor, or finish without sending cursors.
 * @throws AppError too_many_documents, cursor_invalid, feed_not_found, feed_disabled, feed_deleting,
 *   run_fenced, unavailable. Nothing was written then.
 */
export async function ingestDocuments(db: Db, caller: Caller, input: IngestInput): Promise<IngestResult> {
  if (input.documents.length > MAX_DOCUMENTS) {
    throw new AppError(
      "too_many_documents",
      `A call carries at most ${MAX_DOCUMENTS} documents; this one has ${input.documents.length}. Split it.`,
    );
  }
  const items = prepareItems(input.feedId, input.documents);
  const result = await inSqlTransaction(db, (tx) => ingestItems(tx, caller, input, items));
  const hasChanged = result.documentsIndexed + result.documentsDeleted > 0;
  publish(db, caller, {
    run: [result.runId],
    feed: [input.feedId],
    documents: hasChanged ? [input.feedId] : [],
  });
  return result;
}

async function ingestItems(
  tx: SqlTx,
  caller: Caller,
  input: IngestInput,
  items: PreparedItem[],
): Promise<IngestResult> {
  const feed = await lockFeed(tx, caller.workspaceId, input.feedId);
  if (input.sourceId !== undefined && input.sourceId !== feed.sourceId) {
    throw new AppError("feed_not_found", "There is no such feed in this source.");
  }
  requireWritable(feed);
  // After the feed's lock and in a statement of its own: a reaper that got here first is visible now.
  const run = input.runId === undefined ? null : await fenceRun(tx, caller, feed.id, input.runId);
  const runId = input.runId ?? newId("run");

  const limit = run?.startedAt ?? feed.now;
  const decision = decideCursor(feed, { cursor: input.cursor, cursorBefore: input.cursorBefore, limit });
  const batch = settleBatch(items, feed.versionKind);
  const outcomes = await upsertDocuments(
    tx,
    { workspaceId: caller.workspaceId, feedId: feed.id, sourceId: feed.sourceId, runId },
    batch.documents,
  );
  const { counts, liveDelta } = settle(batch, outcomes);
  const warnings = describeWarnings(decision, feed, run !== null);

  const call: CallRecord = {
    caller,
    feed,
    runId,
    counts,
    liveDelta,
    decision,
    versionKind: batch.versionKind,
    warnings,
    page: input.page,
  };
  await recordOnFeed(tx, call, run === null);
  if (run) await recordOnRun(tx, call, env().TIDEMARK_LEASE_SECONDS);
  if (run?.listing) await recordSeenKeys(tx, caller, runId, batch.seenIds);
  if (decision.outcome === "advanced" || decision.conflict)
    await recordTransition(tx, call, input.resync ?? false);
  await recordRejections(tx, call, batch.rejections, input.documents);

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

/** A dead run's late write ends here: it must be running *now*, and this feed's. */
async function fenceRun(tx: SqlTx, caller: Caller, feedId: string, runId: string) {
  const [run] = await tx.$queryRaw<{ startedAt: Date; listing: boolean }[]>`
    UPDATE sync_runs SET status = 'running'
     WHERE workspace_id = ${caller.workspaceId}::int AND id = ${runId} AND feed_id = ${feedId} AND status = 'running'
    RETURNING started_at AS "startedAt", listing`;
  if (!run) {
    throw new AppError(
      "run_fenced",
      "This run is no longer active: it finished, or its lease ran out. Nothing was written; start a new run.",
    );
  }
  return run;
}

/** Counts the outcomes; a `version_missing` verdict joins the batch's rejections. */
function settle(batch: Batch, outcomes: Outcome[]): { counts: Counts; liveDelta: number } {
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

function describeWarnings(decision: CursorDecision, feed: LockedFeed, inRun: boolean): IngestWarning[] {
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
