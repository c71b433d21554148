import pg from "pg";
import type { Caller } from "@/server/actor";
import { type Db, nameStatement, poolOf } from "@/server/db";
import { newId } from "@/server/ids";
import { retrying } from "@/server/transaction";
import { type CursorDecision, decideCursor } from "./decide-cursor";
import { describeResult, describeWarnings, settle } from "./describe-result";
import { type LockedFeed, requireWritable } from "./lock-feed";
import { settleBatch } from "./prepare-batch";
import type { PreparedItem } from "./prepare-document";
import { recentFeeds } from "./recent-feeds";
import type { IngestInput, IngestResult } from "./schema";
import { toColumns, type Verdict } from "./upsert-documents";

/** Raised by `ingest_push` for an item that must be rejected, which only the long way records. */
const NEEDS_REJECTION = "TM001";

const READ_FEED = `/* prepared */
  SELECT id, source_id AS "sourceId", watermark::text, cursor, version_kind::text AS "versionKind",
         state::text, document_count AS "documentCount", now() AS now
    FROM feeds WHERE workspace_id = $1::int AND id = $2`;

const PUSH = `/* prepared */
  SELECT ingest_push($1::int, $2, $3, $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::bytea[],
                     $10::text[], $11::text[], $12::text[], $13::text[], $14::text[], $15::text[], $16::text[],
                     $17::text[], $18::text[], $19, $20::"Watermark", $21::"VersionKind", $22, $23::"Watermark",
                     $24::"VersionKind", $25::int, $26::jsonb, $27::jsonb, $28, $29, $30::"CursorOutcome",
                     $31::boolean) AS outcomes`;

/**
 * The short way for the usual push: decide on the feed as it was last seen, then lock, check that it is
 * still so, and write everything in one call of the database. One exchange, two for a feed not seen
 * lately, instead of five: that nearly halves what a push costs (bench/ingest.ts).
 *
 * @returns null when the long way must be taken: inside a run, with an item to reject, or when a rival
 *   was faster. Nothing was written then.
 */
export async function pushInOneCall(
  db: Db,
  caller: Caller,
  input: IngestInput,
  items: PreparedItem[],
): Promise<IngestResult | null> {
  const pool = poolOf(db);
  if (!pool || input.runId !== undefined || input.page !== undefined || input.resync) return null;
  const memory = recentFeeds(pool);
  const key = `${caller.workspaceId}/${input.feedId}`;
  const known = memory.recall(key);
  // Whatever comes next may prove it wrong; what is right is remembered again at the end.
  memory.forget(key);
  const readAt = performance.now() - (known?.ageMs ?? 0);
  const feed = known?.value ?? (await retrying(() => readFeed(pool, caller.workspaceId, input.feedId)));
  if (!feed || (input.sourceId !== undefined && input.sourceId !== feed.sourceId)) return null;
  requireWritable(feed);

  const decision = decideOn(feed, input, { ageMs: known?.ageMs ?? 0, mayBeStale: known !== undefined });
  const batch = settleBatch(items, feed.versionKind);
  if (!decision || batch.rejections.length > 0) return null;
  const warnings = describeWarnings(decision, feed, false);
  const runId = newId("run");
  const outcomes = await push(pool, [
    caller.workspaceId,
    feed.id,
    runId,
    ...Object.values(toColumns(batch.documents)),
    feed.cursor,
    feed.watermark,
    feed.versionKind,
    decision.cursor,
    decision.watermark,
    batch.versionKind,
    batch.skipped,
    JSON.stringify(caller.actor),
    JSON.stringify(warnings),
    caller.requestId ?? null,
    ...describeTransition(decision),
  ]);
  if (!outcomes) return null;
  const { cursor, watermark } = decision;
  memory.remember(key, { ...feed, cursor, watermark, versionKind: batch.versionKind }, readAt);
  const { counts } = settle(
    batch,
    outcomes.map((verdict) => ({ verdict, wasLive: false })), // counted by the database
  );
  return describeResult(batch, counts, decision, warnings, runId);
}

/**
 * @param seen.ageMs how long ago the feed, and with it the database's clock, was read.
 * @returns null when the cursor is refused on a feed that may have changed since: the long way knows.
 * @throws AppError cursor_invalid
 */
function decideOn(
  feed: LockedFeed,
  { cursor, cursorBefore }: IngestInput,
  seen: { ageMs: number; mayBeStale: boolean },
): CursorDecision | null {
  try {
    const limit = new Date(feed.now.getTime() + seen.ageMs);
    return decideCursor(feed, { cursor, cursorBefore, limit });
  } catch (error) {
    if (seen.mayBeStale) return null;
    throw error;
  }
}

/** The transition's id, outcome and conflict; no id when the cursor did not move and nobody was outrun. */
function describeTransition({ outcome, conflict }: CursorDecision) {
  const isTransition = outcome === "advanced" || conflict;
  return [isTransition ? newId("ctr") : null, isTransition ? outcome : null, conflict];
}

async function readFeed(pool: pg.Pool, workspaceId: number, feedId: string): Promise<LockedFeed | undefined> {
  const name = nameStatement(READ_FEED);
  const { rows } = await pool.query<LockedFeed>({ name, text: READ_FEED, values: [workspaceId, feedId] });
  return rows[0];
}

async function push(pool: pg.Pool, values: unknown[]): Promise<Verdict[] | null> {
  try {
    const { rows } = await retrying(() =>
      pool.query<{ outcomes: Verdict[] | null }>({ name: nameStatement(PUSH), text: PUSH, values }),
    );
    return rows[0]?.outcomes ?? null;
  } catch (error) {
    if (error instanceof pg.DatabaseError && error.code === NEEDS_REJECTION) return null;
    throw error;
  }
}
