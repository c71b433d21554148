import type { Caller } from "@/server/actor";
import type { Db } from "@/server/db";
import { env } from "@/server/env";
import { AppError } from "@/server/errors";
import { newId } from "@/server/ids";
import { publish } from "@/server/live/publish";
import { noteIngest } from "@/server/metrics/note-ingest";
import { noteRunEnd } from "@/server/metrics/note-run";
import { inSqlTransaction, type SqlTx } from "@/server/sql-transaction";
import { decideCursor } from "./decide-cursor";
import { describeResult, describeWarnings, settle } from "./describe-result";
import { lockFeed, requireWritable } from "./lock-feed";
import { prepareItems, settleBatch } from "./prepare-batch";
import type { PreparedItem } from "./prepare-document";
import { pushInOneCall } from "./push-in-one-call";
import {
  type CallRecord,
  recordOnFeed,
  recordOnRun,
  recordRejections,
  recordSeenKeys,
  recordTransition,
} from "./record-call";
import { type IngestInput, type IngestResult, MAX_DOCUMENTS } from "./schema";
import { upsertDocuments } from "./upsert-documents";

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
  const items = prepareItems(input.feedId, input.documents, input.fromAdapter ?? false);
  const result =
    (await pushInOneCall(db, caller, input, items)) ??
    (await inSqlTransaction(db, (tx) => ingestItems(tx, caller, input, items)));
  noteIngest(result);
  if (input.runId === undefined) noteRunEnd({ status: "succeeded", executor: "api" });
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
  const feed = await lockFeed(tx, caller.workspaceId, input.feedId, { tellsReaders: true });
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

  return describeResult(batch, counts, decision, warnings, runId);
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
