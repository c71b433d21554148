-- A change leaves the database as its columns. Put together as JSON there, by a dozen `||` and two to_char() a row,
-- it took PostgreSQL three times as long as reading the row, and a page was copied once more for each function it
-- went through (bench/changes.ts). Only the text is escaped here: PostgreSQL does that faster than the server.

DROP FUNCTION "pull_changes";
DROP FUNCTION "read_changes";
DROP FUNCTION "change_json";
DROP FUNCTION "wire_instant";

-- As before, but a filter's index is the only one there is for it. With `feed_id = the_feed` the planner held the
-- workspace's index for as good, whenever statistics were older than the rows: after a vacuum that came before the
-- analyze, a page of a rare feed read the whole workspace. Compared as rows, and in their order, no other index serves.
CREATE OR REPLACE FUNCTION "changes_after"(
  the_workspace INTEGER, after BIGINT, bound BIGINT, first_bound BIGINT, the_source TEXT, the_feed TEXT, max_rows BIGINT
) RETURNS SETOF "documents" LANGUAGE sql STABLE AS $$
  (SELECT * FROM documents d
    WHERE the_feed IS NULL AND the_source IS NULL
      AND d.workspace_id = the_workspace AND d.seq > after AND d.seq <= bound
      AND (d.state = 'live' OR first_bound IS NULL OR d.seq > first_bound)
    ORDER BY d.seq LIMIT max_rows)
  UNION ALL
  (SELECT * FROM documents d
    WHERE the_feed IS NOT NULL
      AND d.workspace_id = the_workspace AND d.seq IS NOT NULL
      AND (d.feed_id, d.seq) > (the_feed, after) AND (d.feed_id, d.seq) <= (the_feed, bound)
      AND (the_source IS NULL OR d.source_id = the_source)
      AND (d.state = 'live' OR first_bound IS NULL OR d.seq > first_bound)
    ORDER BY d.feed_id, d.seq LIMIT max_rows)
  UNION ALL
  (SELECT * FROM documents d
    WHERE the_feed IS NULL AND the_source IS NOT NULL
      AND d.workspace_id = the_workspace AND d.seq IS NOT NULL
      AND (d.source_id, d.seq) > (the_source, after) AND (d.source_id, d.seq) <= (the_source, bound)
      AND (d.state = 'live' OR first_bound IS NULL OR d.seq > first_bound)
    ORDER BY d.source_id, d.seq LIMIT max_rows)
$$;

-- The three looks of the safe point in one exchange, in the order that makes them safe
-- (server/changes/safe-point.ts). This function must stay VOLATILE: only then has each of its statements a
-- snapshot of its own, and the rows' is younger than the look at the locks. A bound that the caller read
-- when it may use it spares the first two.
--
-- The first row tells of the feed as a whole: in `head` what change_feed_head() says, in `seq` how many rows the
-- page has at most, in `state` whether there are more, and, unless the bound was given, in `source_id`, `feed_id`,
-- `id`, `external_id` and `version` what change_feed_bound() says. The changes follow in the order of seq.
-- Instants are as PostgreSQL writes them in UTC, metadata and text are JSON.
--
-- `after` null means from the bound on. `first_bound` is where a first walk began: tombstones at or below it are
-- left out; all within the bound when `from_start`. `max_rows` and `max_bytes` bound a page, whose first change is
-- sent whatever its size.
--
-- Head and rows are one statement: a horizon that is older than the rows would let a purge between the two go
-- unseen. The page's size may be older. Rows within the bound only ever leave, so there is never a row more than
-- was counted, and what was counted as the end is one.
--
-- The settings leave the planner the seq index and nothing else: a session's cached plan may stem from the
-- time when the table was empty, and then a page would sort the whole workspace. A page fits in work_mem, unless it is
-- mostly what JSON escapes.
CREATE FUNCTION "read_changes"(
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

  SELECT count(*) FILTER (WHERE p.place <= max_rows AND p.before < max_bytes), count(*) INTO n_page, n_all
    FROM (SELECT row_number() OVER o AS place,
                 coalesce(sum(c.bytes) OVER (o ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS before
            FROM (SELECT d.seq, coalesce(octet_length(CASE WHEN with_text THEN d.text END), 0)
                         + coalesce(octet_length(d.title), 0) + coalesce(octet_length(d.url), 0)
                         + coalesce(octet_length(d.author), 0) + coalesce(octet_length(d.external_id), 0)
                         -- pg_column_size() is what is stored, and sixty kilobytes of one letter are stored as one.
                         + CASE WHEN pg_column_compression(d.metadata) IS NULL THEN coalesce(pg_column_size(d.metadata), 0)
                                ELSE octet_length(d.metadata::text) END AS bytes
                    FROM changes_after(the_workspace, begins, the_bound, leave_out, the_source, the_feed, max_rows + 1) d) c
          WINDOW o AS (ORDER BY c.seq)) p;

  RETURN QUERY
    SELECT change_feed_head(the_workspace, the_bound, the_source, the_feed), n_page::text, (n_all > n_page)::text,
           b.last_value, b.bound, b.system_identifier, b.timeline, b.in_recovery,
           NULL::text, NULL::text, NULL::text, NULL::text, NULL::text, NULL::text, NULL::text
    UNION ALL
    SELECT NULL::text, d.seq::text, d.state::text, d.source_id, d.feed_id, d.id, d.external_id, d.version,
           d.changed_at::text, d.title, d.url, d.author, d.date::text, d.metadata::text,
           CASE WHEN with_text THEN to_json(d.text)::text END
      FROM changes_after(the_workspace, begins, the_bound, leave_out, the_source, the_feed, n_page) d;
END $$;
