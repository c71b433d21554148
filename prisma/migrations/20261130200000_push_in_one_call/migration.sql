-- Ingest in the database: the upsert of a batch, and a whole push around it in one call. Between the
-- server and Postgres a push of 50 documents took five exchanges; each costs both sides about as much as
-- ten documents.

-- Applies a batch to a feed's documents in one statement and says what became of each, in its order.
-- The feed's row must be locked by an earlier statement of the transaction: only then does this one's
-- snapshot show every rival's rows. Rows that do not change are not touched. `batch` is what
-- server/ingest/upsert-documents.ts writes; json, not jsonb, because it is read once.
CREATE FUNCTION "upsert_documents"(the_workspace INTEGER, the_feed TEXT, the_source TEXT, the_run TEXT, batch JSON)
RETURNS TABLE ("outcome" TEXT, "was_live" BOOLEAN) LANGUAGE plpgsql AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY
    WITH incoming AS MATERIALIZED (
      SELECT r.ord, r.id, r.xid, r.xkey, r.version, r.vo, decode(r.hash, 'hex') AS hash,
             r.deleted, r.title, r.text, r.format, r.url, r.author, r.date, r.metadata, r.revision
        FROM json_to_recordset(batch) AS r(
          ord int, id text, xid text, xkey text, version text, vo numeric, hash text, deleted boolean,
          title text, text text, format "TextFormat", url text, author text, date timestamptz, metadata jsonb, revision text)
    ), judged AS MATERIALIZED (
      SELECT i.*, d.state IS NOT DISTINCT FROM 'live' AS was_live,
             document_verdict(i.deleted, i.vo, i.hash, d.state, d.delete_kind, d.version_order, d.content_hash) AS verdict
        FROM incoming i
        -- LATERAL with a LIMIT is always a look-up per row, and by design only the primary key can serve
        -- it. A join, or a choice of indexes, planned while the table was empty would scan all of it on
        -- every call until the next ANALYZE (measured: 100 ms instead of 1).
        LEFT JOIN LATERAL (
          SELECT state, delete_kind, version_order, content_hash FROM documents
           WHERE workspace_id = the_workspace AND id = i.id
           LIMIT 1) d ON true
    ), confirmed AS (
      UPDATE documents d SET delete_kind = 'explicit'
        FROM judged j
       WHERE j.verdict = 'confirm' AND d.workspace_id = the_workspace AND d.id = j.id
    ), written AS (
      INSERT INTO documents AS d (
        workspace_id, id, feed_id, source_id, external_id, key, version, version_order, content_hash,
        state, delete_kind, title, text, format, url, author, date, metadata, revision, last_run_id, seq)
      SELECT the_workspace, j.id, the_feed, the_source, j.xid, j.xkey, j.version, j.vo,
             CASE WHEN NOT j.deleted THEN j.hash END,
             (CASE WHEN j.deleted THEN 'tombstone' ELSE 'live' END)::"DocumentState",
             CASE WHEN j.deleted THEN 'explicit'::"DeleteKind" END,
             CASE WHEN NOT j.deleted THEN j.title END, CASE WHEN NOT j.deleted THEN j.text END, j.format,
             CASE WHEN NOT j.deleted THEN j.url END, CASE WHEN NOT j.deleted THEN j.author END,
             CASE WHEN NOT j.deleted THEN j.date END, CASE WHEN NOT j.deleted THEN j.metadata END,
             CASE WHEN NOT j.deleted THEN j.revision END, the_run, nextval('document_seq')
        FROM (SELECT * FROM judged WHERE verdict IN ('create', 'update', 'tombstone') ORDER BY ord) j
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
                              d.state, d.delete_kind, d.version_order, d.content_hash) IN ('create', 'update', 'tombstone')
      RETURNING d.id
    )
    SELECT CASE WHEN j.verdict IN ('create', 'update', 'tombstone') AND w.id IS NULL THEN 'skip' ELSE j.verdict END,
           j.was_live
      FROM judged j LEFT JOIN written w ON w.id = j.id
     ORDER BY j.ord;
END $$;

-- A push that is its own run: lock, documents, cursor, counts, run and transition, all or nothing.
-- `seen_…` is the feed as it was read when its cursor and version kind were decided. Under the lock it
-- must still be so; if it is not, or if an item turns out to need a rejection, nothing is written and the
-- caller takes the long way (server/ingest/ingest-documents.ts).
-- Each statement of a volatile function has a snapshot of its own, so what follows the lock sees what
-- the lock waited for.
CREATE FUNCTION "ingest_push"(
  the_workspace INTEGER, the_feed TEXT, the_run TEXT, batch JSON,
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
  -- See lock-feed.ts: look-ups by key must not become scans while a table has no statistics.
  PERFORM set_config('enable_seqscan', 'off', true);

  SELECT coalesce(array_agg(u.outcome), '{}'),
         count(*) FILTER (WHERE u.outcome = 'create'), count(*) FILTER (WHERE u.outcome = 'update'),
         count(*) FILTER (WHERE u.outcome = 'tombstone'),
         count(*) FILTER (WHERE u.outcome IN ('skip', 'confirm')) + already_skipped,
         count(*) FILTER (WHERE u.outcome = 'version_missing'),
         count(*) FILTER (WHERE u.outcome = 'tombstone' AND u.was_live)
    INTO outcomes, n_created, n_updated, n_deleted, n_skipped, n_refused, n_gone
    FROM upsert_documents(the_workspace, the_feed, feed_source, the_run, batch) u;
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
