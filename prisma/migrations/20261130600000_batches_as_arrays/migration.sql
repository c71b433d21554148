-- A batch reaches the database as one array per column instead of JSON: Postgres reads binary arrays with
-- little more than a copy, while it parsed the JSON twice and looked every field of every document up by
-- name. With the steps below a push costs the database little more than the bare upsert (bench/ingest.ts).

DROP FUNCTION "ingest_push";
DROP FUNCTION "upsert_documents";

-- Applies a batch to a feed's documents and says what became of each, in its order: judge, upsert in one
-- statement, confirm. The feed's row must be locked by an earlier statement of the transaction: only then
-- does the judgement see every rival's rows. Rows that do not change are not touched.
-- The arrays are columns of the batch and equally long; null stands for a column without any value.
-- `keys` are what identity was decided by where it is not the external id, `orders` the versions' exact
-- values, `deletes` 't' where the document is deleted.
CREATE FUNCTION "upsert_documents"(
  the_workspace INTEGER, the_feed TEXT, the_source TEXT, the_run TEXT,
  ids TEXT[], external_ids TEXT[], keys TEXT[], versions TEXT[], orders TEXT[], hashes BYTEA[], deletes TEXT[],
  titles TEXT[], texts TEXT[], formats TEXT[], urls TEXT[], authors TEXT[], dates TEXT[], metadatas TEXT[],
  revisions TEXT[]
) RETURNS TABLE ("outcome" TEXT, "was_live" BOOLEAN) LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  verdicts TEXT[];
  lives BOOLEAN[];
  n_written INTEGER;
BEGIN
  SELECT array_agg(document_verdict(i.deleted IS NOT NULL, i.vo::numeric, i.hash,
                                    d.state, d.delete_kind, d.version_order, d.content_hash) ORDER BY i.ord),
         array_agg(d.state IS NOT DISTINCT FROM 'live' ORDER BY i.ord)
    INTO verdicts, lives
    FROM unnest(ids, orders, hashes, deletes) WITH ORDINALITY AS i(id, vo, hash, deleted, ord)
    -- By design only the primary key can serve `id = ANY`, with one descent per id. A plain join, planned
    -- while the table was empty, would scan all of it until the next ANALYZE (measured: 100 ms for 1).
    LEFT JOIN (SELECT id, state, delete_kind, version_order, content_hash FROM documents
                WHERE workspace_id = the_workspace AND id = ANY (ids)) d ON d.id = i.id;

  INSERT INTO documents AS d (
    workspace_id, id, feed_id, source_id, external_id, key, version, version_order, content_hash,
    state, delete_kind, title, text, format, url, author, date, metadata, revision, last_run_id, seq)
  SELECT the_workspace, j.id, the_feed, the_source, j.xid, j.xkey, j.version, j.vo::numeric,
         CASE WHEN j.lives THEN j.hash END,
         (CASE WHEN j.lives THEN 'live' ELSE 'tombstone' END)::"DocumentState",
         CASE WHEN NOT j.lives THEN 'explicit'::"DeleteKind" END,
         CASE WHEN j.lives THEN j.title END, CASE WHEN j.lives THEN j.text END, j.format::"TextFormat",
         CASE WHEN j.lives THEN j.url END, CASE WHEN j.lives THEN j.author END,
         CASE WHEN j.lives THEN j.date::timestamptz END, CASE WHEN j.lives THEN j.metadata::jsonb END,
         CASE WHEN j.lives THEN j.revision END, the_run, nextval('document_seq')
    FROM (SELECT r.*, r.deleted IS NULL AS lives
            FROM unnest(ids, external_ids, keys, versions, orders, hashes, deletes, titles, texts, formats, urls,
                        authors, dates, metadatas, revisions, verdicts) WITH ORDINALITY
                 AS r(id, xid, xkey, version, vo, hash, deleted, title, text, format, url,
                      author, date, metadata, revision, verdict, ord)
           WHERE r.verdict IN ('create', 'update', 'tombstone')
           ORDER BY r.ord) j
  ON CONFLICT (workspace_id, id) DO UPDATE
     SET external_id = excluded.external_id, key = excluded.key,
         version = coalesce(excluded.version, d.version),
         version_order = coalesce(excluded.version_order, d.version_order),
         content_hash = excluded.content_hash, state = excluded.state, delete_kind = excluded.delete_kind,
         title = excluded.title, text = excluded.text, format = excluded.format, url = excluded.url,
         author = excluded.author, date = excluded.date, metadata = excluded.metadata,
         revision = excluded.revision, last_run_id = excluded.last_run_id, seq = excluded.seq, changed_at = now()
   -- The same rule once more where it cannot be raced: a path that forgot the feed lock still
   -- cannot put an old version over a newer one.
   WHERE document_verdict(excluded.state = 'tombstone', excluded.version_order, excluded.content_hash,
                          d.state, d.delete_kind, d.version_order, d.content_hash) IN ('create', 'update', 'tombstone');
  GET DIAGNOSTICS n_written = ROW_COUNT;
  IF n_written <> (SELECT count(*) FROM unnest(verdicts) v WHERE v IN ('create', 'update', 'tombstone')) THEN
    -- The judgement was outrun; serialization_failure has the transaction tried again from the start.
    RAISE EXCEPTION 'a rival wrote to feed % without its lock', the_feed USING ERRCODE = '40001';
  END IF;

  IF 'confirm' = ANY (verdicts) THEN
    UPDATE documents d SET delete_kind = 'explicit'
      FROM unnest(ids, verdicts) AS j(id, verdict)
     WHERE j.verdict = 'confirm' AND d.workspace_id = the_workspace AND d.id = j.id AND d.state <> 'live';
  END IF;
  RETURN QUERY SELECT v.verdict, v.was_live FROM unnest(verdicts, lives) AS v(verdict, was_live);
END $$;

-- A push that is its own run: lock, documents, cursor, counts, run and transition, all or nothing.
-- `seen_…` is the feed as it was when its cursor and version kind were decided. Under the lock it must
-- still be so; if it is not, or if an item turns out to need a rejection, nothing is written and the
-- caller takes the long way (server/ingest/ingest-documents.ts).
-- Each statement of a volatile function has a snapshot of its own, so what follows the lock sees what
-- the lock waited for.
CREATE FUNCTION "ingest_push"(
  the_workspace INTEGER, the_feed TEXT, the_run TEXT,
  ids TEXT[], external_ids TEXT[], keys TEXT[], versions TEXT[], orders TEXT[], hashes BYTEA[], deletes TEXT[],
  titles TEXT[], texts TEXT[], formats TEXT[], urls TEXT[], authors TEXT[], dates TEXT[], metadatas TEXT[],
  revisions TEXT[],
  seen_cursor TEXT, seen_watermark "Watermark", seen_version_kind "VersionKind",
  new_cursor TEXT, new_watermark "Watermark", new_version_kind "VersionKind", already_skipped INTEGER,
  the_actor JSONB, the_warnings JSONB, the_request TEXT,
  the_transition TEXT, the_outcome "CursorOutcome", has_conflict BOOLEAN
) RETURNS TEXT[] LANGUAGE plpgsql AS $$
DECLARE
  feed_source TEXT;
  outcomes TEXT[];
  n_created INTEGER; n_updated INTEGER; n_deleted INTEGER; n_skipped INTEGER; n_refused INTEGER; n_gone INTEGER;
BEGIN
  SELECT f.source_id INTO feed_source
    FROM feeds f
   WHERE f.workspace_id = the_workspace AND f.id = the_feed AND f.state NOT IN ('disabled', 'deleting')
     AND f.cursor IS NOT DISTINCT FROM seen_cursor AND f.watermark IS NOT DISTINCT FROM seen_watermark
     AND f.version_kind IS NOT DISTINCT FROM seen_version_kind
     FOR UPDATE;
  IF NOT FOUND THEN RETURN NULL; END IF;
  -- See lock-feed.ts: look-ups by key must not become scans while a table has no statistics, and the
  -- caller tells the change feed's readers itself, right after the commit.
  PERFORM set_config('enable_seqscan', 'off', true), set_config('tidemark.tells_readers', '1', true);
  -- The caller tells waiting readers after the commit (server/live/publish.ts); a NOTIFY in here would make
  -- commits wait for each other.
  PERFORM set_config('tidemark.tells_readers', '1', true);

  SELECT coalesce(array_agg(u.outcome), '{}'),
         count(*) FILTER (WHERE u.outcome = 'create'), count(*) FILTER (WHERE u.outcome = 'update'),
         count(*) FILTER (WHERE u.outcome = 'tombstone'),
         count(*) FILTER (WHERE u.outcome IN ('skip', 'confirm')) + already_skipped,
         count(*) FILTER (WHERE u.outcome = 'version_missing'),
         count(*) FILTER (WHERE u.outcome = 'tombstone' AND u.was_live)
    INTO outcomes, n_created, n_updated, n_deleted, n_skipped, n_refused, n_gone
    FROM upsert_documents(the_workspace, the_feed, feed_source, the_run, ids, external_ids, keys, versions, orders,
                          hashes, deletes, titles, texts, formats, urls, authors, dates, metadatas, revisions) u;
  IF n_refused > 0 THEN
    RAISE EXCEPTION 'a document needs a version' USING ERRCODE = 'TM001';
  END IF;

  UPDATE feeds f
     SET watermark = new_watermark, cursor = new_cursor, version_kind = new_version_kind,
         document_count = f.document_count + n_created - n_gone,
         last_new_document_at = CASE WHEN n_created > 0 THEN now() ELSE f.last_new_document_at END,
         last_attempt_at = now(), last_success_at = now()
   WHERE f.workspace_id = the_workspace AND f.id = the_feed;
  INSERT INTO sync_runs (workspace_id, id, feed_id, source_id, status, trigger, executor, actor, queued_at, started_at,
                         finished_at, cursor_before, cursor_after, pages, created, updated, skipped, deleted,
                         warnings, durations, request_id)
  VALUES (the_workspace, the_run, the_feed, feed_source, 'succeeded', 'api', 'api', the_actor, now(), now(),
          clock_timestamp(), seen_cursor, new_cursor, 1, n_created, n_updated, n_skipped, n_deleted,
          the_warnings, jsonb_build_object('totalMs', round(extract(epoch FROM clock_timestamp() - now()) * 1000)),
          the_request);
  IF the_transition IS NOT NULL THEN
    INSERT INTO cursor_transitions (workspace_id, id, feed_id, "from", "to", outcome, conflict, run_id, actor)
    VALUES (the_workspace, the_transition, the_feed, seen_cursor, new_cursor, the_outcome, has_conflict, the_run, the_actor);
  END IF;
  RETURN outcomes;
END $$;
