import { createHash, randomBytes } from "node:crypto";
import { TypeID } from "typeid-js";
import type { Db } from "@/server/db";
import { newId } from "@/server/ids";
import { documentId } from "@/server/ingest/document-id";

/**
 * Fills a workspace with as much as a large installation has after some months: feeds in every state,
 * documents, runs of thirty days, rejections, held deletes. The same each time but for ids and times.
 * Written past the use cases, by INSERT … SELECT: half a million documents in about a minute.
 */
export type LargeSizes = { sources: number; feeds: number; documents: number; runs: number };

export const LARGE: LargeSizes = { sources: 600, feeds: 2_000, documents: 500_000, runs: 200_000 };

const BATCH = 10_000;
const DAY_MS = 86_400_000;

export async function seedLargeWorkspace(
  db: Db,
  workspaceId: number,
  sizes: LargeSizes = LARGE,
  say: (line: string) => void = () => {},
): Promise<void> {
  const sourceIds = Array.from({ length: sizes.sources }, () => newId("src"));
  const feedIds = Array.from({ length: sizes.feeds }, () => newId("feed"));
  await insertSources(db, workspaceId, sourceIds);
  await insertFeeds(db, workspaceId, sourceIds, feedIds);
  say(`${sizes.sources} sources, ${sizes.feeds} feeds`);
  const runIds = await insertRuns(db, workspaceId, sourceIds, feedIds, sizes.runs);
  say(`${sizes.runs} runs`);
  await insertDocuments(db, workspaceId, sourceIds, feedIds, runIds, sizes.documents);
  say(`${sizes.documents} documents`);
  await insertTroubles(db, workspaceId, feedIds, runIds);
  // What autovacuum does within minutes: the pages' plans depend on it.
  for (const table of [
    "sources",
    "feeds",
    "documents",
    "sync_runs",
    "run_days",
    "run_events",
    "cursor_transitions",
  ]) {
    await db.$executeRawUnsafe(`VACUUM (ANALYZE) "${table}"`);
  }
  say("analysed");
}

async function insertSources(db: Db, workspaceId: number, ids: string[]): Promise<void> {
  await db.$executeRaw`
    INSERT INTO sources (workspace_id, id, type, name, runs_on, state, created_at, updated_at)
    SELECT ${workspaceId}::int, id, CASE WHEN n % 20 = 0 THEN 'api' ELSE 'rss' END,
           (ARRAY['Harbour', 'Lighthouse', 'Ferry', 'Chart room', 'Pilot', 'Quay', 'Tide table', 'Weather'])[1 + n % 8]
             || ' ' || (ARRAY['notes', 'letters', 'log', 'news', 'office'])[1 + n % 5] || ' ' || n,
           (CASE WHEN n % 20 = 0 THEN 'api' ELSE 'cloud' END)::"RunsOn",
           (CASE WHEN n % 97 = 0 THEN 'paused' ELSE 'active' END)::"SourceState",
           now() - interval '200 days' + n * interval '1 hour', now()
      FROM unnest(${ids}::text[]) WITH ORDINALITY AS s(id, n)`;
}

async function insertFeeds(db: Db, workspaceId: number, sourceIds: string[], ids: string[]): Promise<void> {
  await db.$executeRaw`
    INSERT INTO feeds (workspace_id, id, source_id, external_key, upstream_title, watermark, cursor, state, paused_by,
                       last_attempt_at, last_success_at, last_new_document_at, failing_since, consecutive_failures,
                       next_sync_at, next_sync_reason, rate_limited_until, error, config, created_at, updated_at)
    SELECT ${workspaceId}::int, f.id, f.source_id, 'https://feed-' || n || '.example.invalid/feed.xml',
           (ARRAY['The Slow Boat', 'Tidewater', 'Ebb & Flow', 'North Pier', 'Shoals', 'Salt'])[1 + n % 6] || ' ' || n,
           'date', to_char(now() - n % 72 * interval '1 hour', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'),
           (CASE WHEN k.trouble = 1 THEN 'needs_reconnect' WHEN k.trouble = 2 THEN 'disabled'
                 WHEN k.trouble IN (3, 4) OR n % 50 = 7 THEN 'paused' ELSE 'active' END)::"FeedState",
           CASE WHEN k.trouble IN (3, 4) THEN 'failures' WHEN n % 50 = 7 THEN 'person' END,
           now() - n % 60 * interval '1 minute', now() - n % 240 * interval '1 minute', now() - n % 400 * interval '1 hour',
           CASE WHEN k.trouble BETWEEN 1 AND 9 THEN now() - (1 + n % 6) * interval '1 day' END,
           CASE WHEN k.trouble BETWEEN 1 AND 9 THEN 12 ELSE 0 END,
           now() + interval '1 hour' + n % 1380 * interval '1 minute', 'Publishes about every 6 hours',
           CASE WHEN k.trouble = 10 THEN now() + interval '3 hours' END,
           CASE WHEN k.trouble BETWEEN 1 AND 9 THEN jsonb_build_object('origin', 'upstream', 'retryable', true, 'detail', null,
             'at', to_char(now(), 'YYYY-MM-DD"T"HH24:MI:SS"Z"'),
             'code', (ARRAY['unauthorized', 'gone', 'unavailable', 'not_found', 'forbidden', 'unavailable', 'not_a_feed', 'too_slow', 'forbidden'])[k.trouble],
             'message', 'feed-' || n || '.example.invalid did not answer as it should.') END,
           CASE WHEN n % 3 = 0 THEN jsonb_build_object('group', 'Folder ' || n % 12) ELSE '{}' END,
           now() - interval '200 days' + n * interval '10 minutes', now()
      FROM (SELECT id, n, (${sourceIds}::text[])[1 + n % ${sourceIds.length}::int] AS source_id
              FROM unnest(${ids}::text[]) WITH ORDINALITY AS u(id, n)) f
     CROSS JOIN LATERAL (SELECT CASE WHEN n % 10 = 3 THEN n / 10 % 50 ELSE 0 END AS trouble) k`;
}

/**
 * Sixty in a hundred of the last seven days, most of which changed nothing; before that only what
 * changed something is left of them, as after folding.
 */
async function insertRuns(
  db: Db,
  workspaceId: number,
  sourceIds: string[],
  feedIds: string[],
  count: number,
): Promise<string[]> {
  const now = Date.now();
  const ids: string[] = [];
  for (let start = 0; start < count; start += BATCH) {
    const times: number[] = [];
    const batch: string[] = [];
    for (let n = start; n < Math.min(start + BATCH, count); n += 1) {
      // The oldest first, as they were made.
      const share = n / count;
      const age = share < 0.4 ? 30 - (share / 0.4) * 23 : 7 - ((share - 0.4) / 0.6) * 7;
      const at = Math.round(now - age * DAY_MS - 20_000);
      times.push(at);
      batch.push(idAt("run", at));
    }
    ids.push(...batch);
    await db.$executeRaw`
      INSERT INTO sync_runs (workspace_id, id, feed_id, source_id, status, trigger, executor, actor, queued_at, started_at,
                             finished_at, pages, created, updated, skipped, deleted, requests, bytes, durations, error)
      SELECT ${workspaceId}::int, r.id, (${feedIds}::text[])[1 + n % ${feedIds.length}::int],
             (${sourceIds}::text[])[1 + (1 + n % ${feedIds.length}::int) % ${sourceIds.length}::int],
             (CASE WHEN k.failed THEN 'failed' WHEN n % 61 = 0 THEN 'partial' ELSE 'succeeded' END)::"RunStatus",
             (CASE WHEN n % 40 = 0 THEN 'manual' ELSE 'schedule' END)::"RunTrigger", 'cloud',
             '{"type": "scheduler"}', r.at, r.at, r.at + (200 + n * 7919 % 9000) * interval '1 millisecond',
             1, CASE WHEN k.eventful THEN 1 + n % 7 ELSE 0 END, CASE WHEN k.eventful THEN n % 3 ELSE 0 END, 20,
             CASE WHEN n % 500 = 0 AND k.eventful THEN 2 ELSE 0 END, 1, 24000 + n % 9000,
             jsonb_build_object('fetchMs', 150, 'commitMs', 12, 'totalMs', 200 + n * 7919 % 9000),
             CASE WHEN k.failed THEN '{"origin": "upstream", "code": "unavailable", "message": "The site did not answer.", "detail": null, "retryable": true}'::jsonb END
        FROM (SELECT id, ${start}::int + place::int - 1 AS n, to_timestamp(ms / 1000) AS at
                FROM unnest(${batch}::text[], ${times}::float8[]) WITH ORDINALITY AS u(id, ms, place)) r
       CROSS JOIN LATERAL (SELECT n % 37 = 0 AS failed,
                                  n % 37 <> 0 AND (n < ${Math.floor(count * 0.4)}::int OR n % 5 = 0) AS eventful) k`;
  }
  await db.$executeRaw`
    INSERT INTO run_days (workspace_id, feed_id, day, status, runs, requests, bytes)
    SELECT ${workspaceId}::int, f, (now() AT TIME ZONE 'UTC')::date - d, 'succeeded', 40, 40, 900000
      FROM unnest(${feedIds}::text[]) AS f, generate_series(8, 30) AS d`;
  return ids;
}

async function insertDocuments(
  db: Db,
  workspaceId: number,
  sourceIds: string[],
  feedIds: string[],
  runIds: string[],
  count: number,
): Promise<void> {
  for (let start = 0; start < count; start += BATCH) {
    const ids: string[] = [];
    for (let n = start; n < Math.min(start + BATCH, count); n += 1) {
      ids.push(documentId(feedIds[n % feedIds.length] ?? "", `https://example.invalid/${n}`));
    }
    const runs = ids.map((_, i) => runIds[(start + i) % runIds.length] ?? null);
    await db.$executeRaw`
      INSERT INTO documents (workspace_id, id, feed_id, source_id, external_id, content_hash, state, delete_kind, title, text,
                             url, author, date, metadata, seq, created_at, changed_at, last_run_id)
      SELECT ${workspaceId}::int, d.id, (${feedIds}::text[])[1 + n % ${feedIds.length}::int],
             (${sourceIds}::text[])[1 + (1 + n % ${feedIds.length}::int) % ${sourceIds.length}::int],
             'https://example.invalid/' || n, CASE WHEN NOT k.gone THEN decode(md5(n::text), 'hex') END,
             (CASE WHEN k.gone THEN 'tombstone' ELSE 'live' END)::"DocumentState",
             (CASE WHEN k.gone THEN 'explicit' END)::"DeleteKind",
             CASE WHEN NOT k.gone THEN
               (ARRAY['High water at', 'A letter from', 'What the pilot saw near', 'Fog over', 'Repairs at', 'The ferry to'])[1 + n % 6]
               || ' ' || (ARRAY['Skagen', 'Penzance', 'Bergen', 'Tarifa', 'Oban', 'Nuuk', 'Kotor'])[1 + n % 7] || ', part ' || n END,
             CASE WHEN NOT k.gone THEN repeat('The tide turned before dawn and the boats went out with it. ', 6 + n % 9) END,
             CASE WHEN NOT k.gone THEN 'https://example.invalid/' || n END, CASE WHEN NOT k.gone THEN 'Ada' END,
             CASE WHEN NOT k.gone THEN t.at - interval '1 hour' END, CASE WHEN NOT k.gone THEN '{}'::jsonb END,
             nextval('document_seq'), t.at, t.at, d.run_id
        FROM (SELECT id, run_id, ${start}::int + place::int - 1 AS n
                FROM unnest(${ids}::text[], ${runs}::text[]) WITH ORDINALITY AS u(id, run_id, place) ORDER BY place) d
       CROSS JOIN LATERAL (SELECT n % 100 = 99 AS gone) k
       CROSS JOIN LATERAL (SELECT now() - (${count}::int - n)::float8 / ${count}::int * interval '60 days' AS at) t`;
  }
  await db.$executeRaw`
    UPDATE feeds f SET document_count = c.documents
      FROM (SELECT feed_id, count(*)::int AS documents FROM documents
             WHERE workspace_id = ${workspaceId}::int AND state = 'live' GROUP BY feed_id) c
     WHERE f.workspace_id = ${workspaceId}::int AND f.id = c.feed_id`;
}

/** What a person has to look at, and where cursors went. */
async function insertTroubles(
  db: Db,
  workspaceId: number,
  feedIds: string[],
  runIds: string[],
): Promise<void> {
  const recent = runIds.slice(-Math.min(5_000, runIds.length));
  const offset = runIds.length - recent.length;
  const feedOf = recent.map((_, i) => feedIds[(offset + i) % feedIds.length] ?? "");
  await db.$executeRaw`
    INSERT INTO cursor_transitions (workspace_id, id, feed_id, "from", "to", outcome, run_id, actor, at)
    SELECT ${workspaceId}::int, id, feed, '2026-06-13T09:00:00Z', '2026-06-14T09:00:00Z', 'advanced', run, '{"type": "scheduler"}', now()
      FROM unnest(${recent.map(() => newId("ctr"))}::text[], ${feedOf}::text[], ${recent}::text[]) AS t(id, feed, run)`;
  await db.$executeRaw`
    INSERT INTO run_events (workspace_id, run_id, level, kind, message, data)
    SELECT ${workspaceId}::int, run, 'info', 'request', 'GET https://example.invalid/feed.xml', '{"status": 200, "ms": 150, "bytes": 24000}'
      FROM unnest(${recent}::text[]) AS run`;
  const rejected = feedIds.filter((_, i) => i % 40 === 0);
  await db.$executeRaw`
    INSERT INTO rejected_documents (workspace_id, id, feed_id, item_hash, external_id, code, message, payload)
    SELECT ${workspaceId}::int, id, feed, decode(md5(id), 'hex'), 'item-1', 'date_invalid', 'The date is not RFC 3339.', '{"id": "item-1", "date": "soon"}'
      FROM unnest(${rejected.map(() => newId("rej"))}::text[], ${rejected}::text[]) AS t(id, feed)`;
  const held = feedIds.slice(0, 3);
  await db.heldDelete.createMany({
    data: held.map((feedId) => ({
      workspaceId,
      id: newId("hold"),
      feedId,
      runId: recent[0] ?? newId("run"),
      count: 40,
      sample: ["https://example.invalid/1"],
      reason: "More than a fifth of the documents would go.",
    })),
  });
}

/** A TypeID as it would have been made then: UUIDv7. */
function idAt(prefix: string, ms: number): string {
  const bytes = new Uint8Array(createHash("sha256").update(randomBytes(16)).digest().subarray(0, 16));
  new DataView(bytes.buffer, bytes.byteOffset).setUint32(0, Math.floor(ms / 2 ** 16));
  new DataView(bytes.buffer, bytes.byteOffset).setUint16(4, ms % 2 ** 16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x70;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return TypeID.fromUUIDBytes(prefix, bytes).toString();
}
