-- The change feed's outgoing half: what its readers ask of the database, and who reads.

CREATE TABLE "consumers" (
  "workspace_id" INTEGER NOT NULL,
  "name" TEXT COLLATE "C" NOT NULL,
  "epoch" TEXT COLLATE "C" NOT NULL,
  "position" BIGINT NOT NULL,
  "snapshot_bound" BIGINT,
  "source_id" TEXT COLLATE "C",
  "feed_id" TEXT COLLATE "C",
  "actor" JSONB NOT NULL,
  "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT now(),
  "seen_at" TIMESTAMPTZ(6) NOT NULL DEFAULT now(),
  CONSTRAINT "consumers_pkey" PRIMARY KEY ("workspace_id", "name")
);

-- Writer's half of the safe point, as before, and now its wake-up call too: readers that wait are told
-- at the commit. A notifying commit waits for every other one in the cluster, so a path whose callers
-- tell the readers themselves right after the commit (server/live/publish.ts) says so with
-- `tidemark.tells_readers`; whoever forgets, or writes by hand, pays that price and wakes them too.
-- The empty payload stands for every workspace: a statement trigger does not know whose rows they are.
CREATE OR REPLACE FUNCTION "tidemark_hold_safe_point"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF coalesce(current_setting('tidemark.safe_point_held', true), '') = '' THEN
    -- 21587 is 'TS', below 2^15 as the key layout needs; change_feed_bound() reads the same.
    PERFORM pg_advisory_xact_lock_shared((21587::bigint << 48) | (SELECT last_value + 1 FROM "document_seq"));
    PERFORM set_config('tidemark.safe_point_held', '1', true);
    PERFORM set_config('synchronous_commit', 'on', true);
    PERFORM set_config('idle_in_transaction_session_timeout', '30s', true);
    IF coalesce(current_setting('tidemark.tells_readers', true), '') = '' THEN
      PERFORM pg_notify('tidemark_changes', '');
    END IF;
  END IF;
  RETURN NULL;
END $$;

-- Reader's half, steps 1 and 2 (server/changes/safe-point.ts gives the reasoning): first `last_value`,
-- then the lowest lock of an open writer. Volatile, so each statement is on its own and in this order.
-- With it comes what this cluster is: a restored copy or a promoted standby must not go on under the
-- old epoch. Null where it is not told: some hosts forbid pg_control_system, a standby has no WAL of
-- its own.
CREATE FUNCTION "change_feed_bound"(
  OUT last_value TEXT, OUT bound TEXT, OUT system_identifier TEXT, OUT timeline TEXT, OUT in_recovery TEXT
) LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  last BIGINT;
  lowest BIGINT;
BEGIN
  SELECT s.last_value INTO last FROM "document_seq" s;
  SELECT min(((l.classid::bigint << 32) | l.objid::bigint) & ((1::bigint << 48) - 1)) INTO lowest
    FROM pg_locks l
   WHERE l.locktype = 'advisory' AND l.objsubid = 1 AND l.granted AND l.classid::bigint >> 16 = 21587
     AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database());
  last_value := last::text;
  bound := least(last, lowest - 1)::text;
  in_recovery := pg_is_in_recovery()::text;
  -- The right to run it is looked at when a statement is prepared: a CASE in one would not do.
  IF has_function_privilege('pg_control_system()', 'execute') THEN
    system_identifier := (SELECT c.system_identifier::text FROM pg_control_system() c);
  END IF;
  IF in_recovery = 'false' THEN
    -- pg_control_checkpoint() says the old one until the first checkpoint after a promotion.
    timeline := left(pg_walfile_name(pg_current_wal_lsn()), 8);
  END IF;
END $$;

-- What one statement says about the whole feed besides its rows, as JSON: epoch and identity to compare,
-- horizon, position (the highest committed seq within the bound), head (the highest committed seq; above
-- the position while an older writer is open), and whether the filter names anything: a deleted feed or
-- source does as long as it has tombstones.
CREATE FUNCTION "change_feed_head"(the_workspace INTEGER, bound BIGINT, the_source TEXT, the_feed TEXT)
RETURNS TEXT LANGUAGE sql STABLE AS $$
  SELECT json_build_object(
           'epoch', i.epoch, 'systemIdentifier', i.system_identifier, 'timeline', i.timeline,
           'horizon', w.horizon::text,
           'position', coalesce((SELECT max(d.seq) FROM documents d
                                  WHERE d.workspace_id = the_workspace AND d.seq <= bound), 0)::text,
           'head', coalesce((SELECT max(d.seq) FROM documents d WHERE d.workspace_id = the_workspace), 0)::text,
           'isKnown', CASE
             WHEN the_feed IS NOT NULL THEN
               EXISTS (SELECT FROM feeds f WHERE f.workspace_id = the_workspace AND f.id = the_feed
                          AND (the_source IS NULL OR f.source_id = the_source))
               OR EXISTS (SELECT FROM documents d WHERE d.workspace_id = the_workspace AND d.feed_id = the_feed
                             AND d.seq IS NOT NULL AND (the_source IS NULL OR d.source_id = the_source))
             WHEN the_source IS NOT NULL THEN
               EXISTS (SELECT FROM sources s WHERE s.workspace_id = the_workspace AND s.id = the_source)
               OR EXISTS (SELECT FROM documents d WHERE d.workspace_id = the_workspace AND d.source_id = the_source
                             AND d.seq IS NOT NULL)
             ELSE true END)::text
    FROM instance i, workspaces w
   WHERE i.id = 1 AND w.id = the_workspace
$$;

-- Step 3: one statement, hence one snapshot, for epoch, horizon, position and rows. The first row is
-- the head (the others have null there), the changes follow in the order of seq. All columns are text:
-- they are sent as they are, and parsing them would cost the server more than the rest of a page.
--
-- `first_bound` is where a first walk began: tombstones at or below it are left out.
-- `max_bytes` bounds a page whose documents are large; the row marked 'cut' only says that there is more.
-- The settings leave the planner the seq index and nothing else. A session's cached plan may stem from
-- the time when the table was empty; then a page would sort the whole workspace.
CREATE FUNCTION "read_changes"(
  the_workspace INTEGER, after BIGINT, bound BIGINT, first_bound BIGINT, the_source TEXT, the_feed TEXT,
  max_rows INTEGER, max_bytes BIGINT, with_text BOOLEAN
) RETURNS TABLE (
  "head" TEXT, "seq" TEXT, "state" TEXT, "id" TEXT, "feed_id" TEXT, "source_id" TEXT, "external_id" TEXT, "version" TEXT,
  "changed_at" TEXT, "title" TEXT, "url" TEXT, "author" TEXT, "date" TEXT, "metadata" TEXT, "text" TEXT
) LANGUAGE plpgsql STABLE
  SET enable_seqscan = off SET enable_bitmapscan = off SET enable_sort = off SET jit = off
AS $$
#variable_conflict use_column
BEGIN
  -- Three times the same but for the filter: a condition that may be off would hide its index.
  IF the_feed IS NOT NULL THEN
    RETURN QUERY
      SELECT change_feed_head(the_workspace, bound, the_source, the_feed), NULL::text, NULL::text, NULL::text,
             NULL::text, NULL::text, NULL::text, NULL::text, NULL::text, NULL::text, NULL::text, NULL::text,
             NULL::text, NULL::text, NULL::text
      UNION ALL
      SELECT CASE WHEN r.before >= max_bytes THEN 'cut' END, r.seq::text, r.state::text, r.id, r.feed_id, r.source_id,
             r.external_id, r.version, r.changed_at::text, r.title, r.url, r.author, r.date::text, r.metadata::text,
             CASE WHEN with_text AND r.before < max_bytes THEN r.text END
        FROM (SELECT c.*, coalesce(sum(c.bytes) OVER (o ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS before,
                     coalesce(sum(c.bytes) OVER (o ROWS BETWEEN UNBOUNDED PRECEDING AND 2 PRECEDING), 0) AS before_last
                FROM (SELECT d.*, coalesce(octet_length(CASE WHEN with_text THEN d.text END), 0)
                             + coalesce(octet_length(d.title), 0) + coalesce(pg_column_size(d.metadata), 0) AS bytes
                        FROM documents d
                       WHERE d.workspace_id = the_workspace AND d.feed_id = the_feed AND d.seq > after AND d.seq <= bound
                         AND (the_source IS NULL OR d.source_id = the_source)
                         AND (d.state = 'live' OR first_bound IS NULL OR d.seq > first_bound)
                       ORDER BY d.seq LIMIT max_rows) c
              WINDOW o AS (ORDER BY c.seq)) r
       WHERE r.before_last < max_bytes;
  ELSIF the_source IS NOT NULL THEN
    RETURN QUERY
      SELECT change_feed_head(the_workspace, bound, the_source, the_feed), NULL::text, NULL::text, NULL::text,
             NULL::text, NULL::text, NULL::text, NULL::text, NULL::text, NULL::text, NULL::text, NULL::text,
             NULL::text, NULL::text, NULL::text
      UNION ALL
      SELECT CASE WHEN r.before >= max_bytes THEN 'cut' END, r.seq::text, r.state::text, r.id, r.feed_id, r.source_id,
             r.external_id, r.version, r.changed_at::text, r.title, r.url, r.author, r.date::text, r.metadata::text,
             CASE WHEN with_text AND r.before < max_bytes THEN r.text END
        FROM (SELECT c.*, coalesce(sum(c.bytes) OVER (o ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS before,
                     coalesce(sum(c.bytes) OVER (o ROWS BETWEEN UNBOUNDED PRECEDING AND 2 PRECEDING), 0) AS before_last
                FROM (SELECT d.*, coalesce(octet_length(CASE WHEN with_text THEN d.text END), 0)
                             + coalesce(octet_length(d.title), 0) + coalesce(pg_column_size(d.metadata), 0) AS bytes
                        FROM documents d
                       WHERE d.workspace_id = the_workspace AND d.source_id = the_source AND d.seq > after AND d.seq <= bound
                         AND (d.state = 'live' OR first_bound IS NULL OR d.seq > first_bound)
                       ORDER BY d.seq LIMIT max_rows) c
              WINDOW o AS (ORDER BY c.seq)) r
       WHERE r.before_last < max_bytes;
  ELSE
    RETURN QUERY
      SELECT change_feed_head(the_workspace, bound, the_source, the_feed), NULL::text, NULL::text, NULL::text,
             NULL::text, NULL::text, NULL::text, NULL::text, NULL::text, NULL::text, NULL::text, NULL::text,
             NULL::text, NULL::text, NULL::text
      UNION ALL
      SELECT CASE WHEN r.before >= max_bytes THEN 'cut' END, r.seq::text, r.state::text, r.id, r.feed_id, r.source_id,
             r.external_id, r.version, r.changed_at::text, r.title, r.url, r.author, r.date::text, r.metadata::text,
             CASE WHEN with_text AND r.before < max_bytes THEN r.text END
        FROM (SELECT c.*, coalesce(sum(c.bytes) OVER (o ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS before,
                     coalesce(sum(c.bytes) OVER (o ROWS BETWEEN UNBOUNDED PRECEDING AND 2 PRECEDING), 0) AS before_last
                FROM (SELECT d.*, coalesce(octet_length(CASE WHEN with_text THEN d.text END), 0)
                             + coalesce(octet_length(d.title), 0) + coalesce(pg_column_size(d.metadata), 0) AS bytes
                        FROM documents d
                       WHERE d.workspace_id = the_workspace AND d.seq > after AND d.seq <= bound
                         AND (d.state = 'live' OR first_bound IS NULL OR d.seq > first_bound)
                       ORDER BY d.seq LIMIT max_rows) c
              WINDOW o AS (ORDER BY c.seq)) r
       WHERE r.before_last < max_bytes;
  END IF;
END $$;

-- The look that all readers waiting in one workspace share: what of it changed since the furthest behind
-- of them, by feed. `rows` is the number of changes looked at: at `max_rows` there may be more.
CREATE FUNCTION "touched_feeds"(the_workspace INTEGER, after BIGINT, bound BIGINT, max_rows INTEGER)
RETURNS TABLE ("head" TEXT, "feed_id" TEXT, "source_id" TEXT, "seq" TEXT, "rows" TEXT) LANGUAGE plpgsql STABLE
  SET enable_seqscan = off SET enable_bitmapscan = off SET jit = off
AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY
    SELECT change_feed_head(the_workspace, bound, NULL, NULL), NULL::text, NULL::text, NULL::text, NULL::text
    UNION ALL
    SELECT NULL::text, d.feed_id, d.source_id, max(d.seq)::text, count(*)::text
      FROM (SELECT c.feed_id, c.source_id, c.seq FROM documents c
             WHERE c.workspace_id = the_workspace AND c.seq > after AND c.seq <= bound
             ORDER BY c.seq LIMIT max_rows) d
     GROUP BY d.feed_id, d.source_id;
END $$;

-- What this cluster is, from now on. Null where it may not be asked; then only the timeline is compared.
UPDATE "instance" i SET system_identifier = b.system_identifier, timeline = b.timeline FROM change_feed_bound() b;
