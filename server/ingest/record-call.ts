import type { Caller } from "@/server/actor";
import { newId, sha256 } from "@/server/ids";
import type { SqlTx } from "@/server/sql-transaction";
import { toStorableJson } from "./canonical-json";
import type { CursorDecision } from "./decide-cursor";
import type { LockedFeed } from "./lock-feed";
import type { Rejection } from "./prepare-document";
import type { Counts, IngestInput, IngestWarning } from "./schema";

/** Strings of a rejected item kept for inspection, in UTF-16 units. */
const MAX_KEPT_STRING = 64 * 1024;

export type CallRecord = {
  caller: Caller;
  feed: LockedFeed;
  runId: string;
  counts: Counts;
  /** Change of the feed's live documents. */
  liveDelta: number;
  decision: CursorDecision;
  versionKind: LockedFeed["versionKind"];
  warnings: IngestWarning[];
  page: IngestInput["page"];
};

/**
 * The feed's new cursor, counts and times, and for a bare push its run, inserted already finished: one
 * statement, because every ingest call pays for it.
 */
export async function recordOnFeed(tx: SqlTx, call: CallRecord, isBarePush: boolean): Promise<void> {
  const { caller, feed, runId, counts, decision, page } = call;
  const state = page?.state === undefined ? null : JSON.stringify(page.state);
  const hints = page?.hints === undefined ? null : JSON.stringify(page.hints);
  // Raw: two tables in one statement, and values computed from the stored ones.
  await tx.$executeRaw`/* prepared */
    WITH moved AS (
      UPDATE feeds
         SET watermark = ${decision.watermark}::"Watermark", cursor = ${decision.cursor},
             version_kind = ${call.versionKind}::"VersionKind",
             document_count = document_count + ${call.liveDelta}::int,
             last_new_document_at = CASE WHEN ${counts.created}::int > 0 THEN now() ELSE last_new_document_at END,
             last_attempt_at = CASE WHEN ${isBarePush}::boolean THEN now() ELSE last_attempt_at END,
             last_success_at = CASE WHEN ${isBarePush}::boolean THEN now() ELSE last_success_at END,
             adapter_state = coalesce(${state}::jsonb, adapter_state), hints = coalesce(${hints}::jsonb, hints),
             upstream_title = coalesce(${page?.feedTitle ?? null}, upstream_title)
       WHERE workspace_id = ${caller.workspaceId}::int AND id = ${feed.id}
    )
    INSERT INTO sync_runs (workspace_id, id, feed_id, source_id, status, trigger, executor, actor, queued_at, started_at,
                           finished_at, cursor_before, cursor_after, pages, created, updated, skipped, deleted, rejected,
                           warnings, durations, request_id)
    SELECT ${caller.workspaceId}::int, ${runId}, ${feed.id}, ${feed.sourceId}, 'succeeded', 'api', 'api',
           ${JSON.stringify(caller.actor)}::jsonb, now(), now(), clock_timestamp(), ${feed.cursor}, ${decision.cursor}, 1,
           ${counts.created}::int, ${counts.updated}::int, ${counts.skipped}::int, ${counts.deleted}::int,
           ${counts.rejected}::int, ${JSON.stringify(call.warnings)}::jsonb,
           jsonb_build_object('totalMs', round(extract(epoch FROM clock_timestamp() - now()) * 1000)),
           ${caller.requestId ?? null}
     WHERE ${isBarePush}::boolean`;
}

/** Adds a page to its active run and renews the lease: who commits a page is alive. */
export async function recordOnRun(
  tx: SqlTx,
  { caller, runId, counts, decision, warnings }: CallRecord,
  leaseSeconds: number,
): Promise<void> {
  await tx.$executeRaw`
    UPDATE sync_runs
       SET pages = pages + 1, created = created + ${counts.created}::int, updated = updated + ${counts.updated}::int,
           skipped = skipped + ${counts.skipped}::int, deleted = deleted + ${counts.deleted}::int,
           rejected = rejected + ${counts.rejected}::int, cursor_after = ${decision.cursor},
           warnings = CASE WHEN jsonb_array_length(warnings) < 100 THEN warnings || ${JSON.stringify(warnings)}::jsonb
                           ELSE warnings END,
           lease_expires_at = greatest(lease_expires_at,
             least(clock_timestamp() + make_interval(secs => ${leaseSeconds}::int), deadline_at))
     WHERE workspace_id = ${caller.workspaceId}::int AND id = ${runId} AND status = 'running'`;
  const level = warnings.length > 0 || counts.rejected > 0 ? "warn" : "info";
  const data = { ...counts, cursor: decision.cursor, cursorOutcome: decision.outcome, warnings };
  await tx.$executeRaw`
    INSERT INTO run_events (workspace_id, run_id, at, level, kind, message, data)
    VALUES (${caller.workspaceId}::int, ${runId}, clock_timestamp(), ${level}, 'page', ${describePage(counts, decision)},
            ${JSON.stringify(data)}::jsonb)`;
}

/** What a listing run received; the sweep spares it. */
export async function recordSeenKeys(
  tx: SqlTx,
  caller: Caller,
  runId: string,
  documentIds: string[],
): Promise<void> {
  if (documentIds.length === 0) return;
  await tx.$executeRaw`
    INSERT INTO run_keys (workspace_id, run_id, document_id)
    SELECT ${caller.workspaceId}::int, ${runId}, d FROM unnest(${documentIds}::text[]) AS d
    ON CONFLICT DO NOTHING`;
}

export async function recordTransition(tx: SqlTx, call: CallRecord, resync: boolean): Promise<void> {
  const { caller, feed, decision, runId } = call;
  const outcome = resync && decision.outcome === "advanced" ? "resync" : decision.outcome;
  const reason = resync ? "The upstream forgot its position; everything was listed again." : null;
  await tx.$executeRaw`
    INSERT INTO cursor_transitions (workspace_id, id, feed_id, "from", "to", outcome, conflict, run_id, actor, reason)
    VALUES (${caller.workspaceId}::int, ${newId("ctr")}, ${feed.id}, ${feed.cursor}, ${decision.cursor},
            ${outcome}::"CursorOutcome", ${decision.conflict}::boolean, ${runId}, ${JSON.stringify(caller.actor)}::jsonb,
            ${reason})`;
}

/** Keeps refused items for a person. The same item refused again only raises its count. */
export async function recordRejections(
  tx: SqlTx,
  { caller, feed, runId }: CallRecord,
  rejections: Rejection[],
  items: unknown[],
): Promise<void> {
  if (rejections.length === 0) return;
  const rows = rejections.map((rejection) => {
    const payload = toStorableJson(items[rejection.index], MAX_KEPT_STRING);
    return {
      id: newId("rej"),
      hash: sha256(JSON.stringify([rejection.id, rejection.code, payload], inKeyOrder)).toString("hex"),
      external_id: rejection.id,
      code: rejection.code,
      message: rejection.message,
      payload,
    };
  });
  await tx.$executeRaw`
    INSERT INTO rejected_documents AS r (workspace_id, id, feed_id, item_hash, external_id, code, message, payload, run_id)
    SELECT DISTINCT ON (hash) ${caller.workspaceId}::int, id, ${feed.id}, decode(hash, 'hex'), external_id, code, message,
           -- An item may be JSON's null, which the recordset makes SQL's.
           coalesce(payload, 'null'::jsonb), ${runId}
      FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
        AS i(id text, hash text, external_id text, code text, message text, payload jsonb)
    ON CONFLICT (workspace_id, feed_id, item_hash) DO UPDATE
       SET occurrences = r.occurrences + 1, last_at = now(), run_id = excluded.run_id`;
}

/** For JSON.stringify: an item that comes back from jsonb, in another order, is the same item. */
function inKeyOrder(_key: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function describePage(counts: Counts, decision: CursorDecision): string {
  const parts = Object.entries(counts)
    .filter(([, n]) => n > 0)
    .map(([what, n]) => `${n} ${what}`);
  const cursor = decision.outcome === "unchanged" ? "cursor unchanged" : `cursor ${decision.outcome}`;
  return `Page stored: ${parts.join(", ") || "no documents"}; ${cursor}.`;
}
