-- What a page that was read ahead depends on besides its rows (server/changes/read-ahead.ts). No lock is looked at, which
-- is what makes it cheap. Epoch, horizon and head are null when the workspace is gone.
--
-- As with read_changes(), the settings leave the planner the index: a session keeps the plan that it once made, and one
-- that was made while `documents` was almost empty would scan the table when it holds millions.
CREATE FUNCTION "change_feed_standing"(
  the_workspace INTEGER, OUT epoch TEXT, OUT system_identifier TEXT, OUT timeline TEXT, OUT in_recovery TEXT,
  OUT horizon TEXT, OUT head TEXT
) LANGUAGE plpgsql STABLE
  SET enable_seqscan = off SET enable_bitmapscan = off SET jit = off
AS $$
BEGIN
  SELECT i.epoch, w.horizon::text,
         coalesce((SELECT max(d.seq) FROM documents d WHERE d.workspace_id = the_workspace), 0)::text
    INTO epoch, horizon, head
    FROM instance i, workspaces w WHERE i.id = 1 AND w.id = the_workspace;
  in_recovery := pg_is_in_recovery()::text;
  -- As in change_feed_bound().
  IF has_function_privilege('pg_control_system()', 'execute') THEN
    system_identifier := (SELECT c.system_identifier::text FROM pg_control_system() c);
  END IF;
  IF in_recovery = 'false' THEN
    timeline := left(pg_walfile_name(pg_current_wal_lsn()), 8);
  END IF;
END $$;

-- How large the changes of a page are, for what bounds it.
CREATE FUNCTION "change_sizes"(
  the_workspace INTEGER, after BIGINT, bound BIGINT, first_bound BIGINT, the_source TEXT, the_feed TEXT, max_rows BIGINT,
  with_text BOOLEAN
) RETURNS TABLE ("seq" BIGINT, "bytes" BIGINT) LANGUAGE sql STABLE AS $$
  SELECT d.seq, (coalesce(octet_length(CASE WHEN with_text THEN d.text END), 0)
         + coalesce(octet_length(d.title), 0) + coalesce(octet_length(d.url), 0)
         + coalesce(octet_length(d.author), 0) + coalesce(octet_length(d.external_id), 0)
         -- pg_column_size() is what is stored, and sixty kilobytes of one letter are stored as one.
         + CASE WHEN pg_column_compression(d.metadata) IS NULL THEN coalesce(pg_column_size(d.metadata), 0)
                ELSE octet_length(d.metadata::text) END)::bigint
    FROM changes_after(the_workspace, after, bound, first_bound, the_source, the_feed, max_rows) d
$$;

-- As before (20261202000000_changes_as_rows), but only a page that is too large is measured change by change: most are
-- not, and a sum takes half of what a window takes. The first row no longer says how many rows there are at most.
CREATE OR REPLACE FUNCTION "read_changes"(
  known_bound BIGINT, the_workspace INTEGER, after BIGINT, first_bound BIGINT, from_start BOOLEAN,
  the_source TEXT, the_feed TEXT, max_rows INTEGER, max_bytes BIGINT, with_text BOOLEAN
) RETURNS TABLE (
  "head" TEXT, "seq" TEXT, "state" TEXT, "source_id" TEXT, "feed_id" TEXT, "id" TEXT, "external_id" TEXT, "version" TEXT,
  "changed_at" TEXT, "title" TEXT, "url" TEXT, "author" TEXT, "date" TEXT, "metadata" TEXT, "text" TEXT
) LANGUAGE plpgsql VOLATILE
  SET enable_seqscan = off SET enable_bitmapscan = off SET enable_sort = off SET jit = off
  SET timezone = 'UTC' SET datestyle = 'ISO' SET plan_cache_mode = force_generic_plan SET work_mem = '16MB'
AS $$
#variable_conflict use_variable
DECLARE
  b RECORD;
  the_bound BIGINT := known_bound;
  begins BIGINT;
  leave_out BIGINT;
  n_bytes NUMERIC;
  n_page BIGINT;
  n_all BIGINT;
BEGIN
  IF known_bound IS NULL THEN
    SELECT f.last_value, f.bound, f.system_identifier, f.timeline, f.in_recovery INTO b FROM change_feed_bound() f;
    the_bound := b.bound::bigint;
  ELSE
    SELECT NULL::text AS last_value, NULL::text AS bound, NULL::text AS system_identifier,
           NULL::text AS timeline, NULL::text AS in_recovery INTO b;
  END IF;
  begins := coalesce(after, the_bound);
  leave_out := CASE WHEN from_start THEN the_bound ELSE first_bound END;

  SELECT coalesce(sum(c.bytes), 0), count(*), least(count(*), max_rows) INTO n_bytes, n_all, n_page
    FROM change_sizes(the_workspace, begins, the_bound, leave_out, the_source, the_feed, max_rows + 1, with_text) c;
  IF n_bytes > max_bytes THEN
    SELECT count(*) INTO n_page
      FROM (SELECT coalesce(sum(c.bytes) OVER (ORDER BY c.seq ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS before
              FROM change_sizes(the_workspace, begins, the_bound, leave_out, the_source, the_feed, max_rows, with_text) c) p
     WHERE p.before < max_bytes;
  END IF;

  RETURN QUERY
    SELECT change_feed_head(the_workspace, the_bound, the_source, the_feed), NULL::text, (n_all > n_page)::text,
           b.last_value, b.bound, b.system_identifier, b.timeline, b.in_recovery,
           NULL::text, NULL::text, NULL::text, NULL::text, NULL::text, NULL::text, NULL::text
    UNION ALL
    SELECT NULL::text, d.seq::text, d.state::text, d.source_id, d.feed_id, d.id, d.external_id, d.version,
           d.changed_at::text, d.title, d.url, d.author, d.date::text, d.metadata::text,
           CASE WHEN with_text THEN to_json(d.text)::text END
      FROM changes_after(the_workspace, begins, the_bound, leave_out, the_source, the_feed, n_page) d;
END $$;
