-- A pull in one exchange: the three looks of the safe point in the order that makes them safe
-- (server/changes/safe-point.ts). This function must stay VOLATILE: only then has each of its statements a
-- snapshot of its own, and the rows' is younger than the look at the locks.
--
-- The first row is the bound, as change_feed_bound() gives it, in the columns `seq` (last_value), `state`
-- (bound), `id` (system identifier), `feed_id` (timeline) and `source_id` (in recovery); the second is the
-- head; the changes follow. `after` null means from the bound on; `from_start` leaves out all tombstones
-- within the bound.
CREATE FUNCTION "pull_changes"(
  the_workspace INTEGER, after BIGINT, first_bound BIGINT, from_start BOOLEAN, the_source TEXT, the_feed TEXT,
  max_rows INTEGER, max_bytes BIGINT, with_text BOOLEAN
) RETURNS TABLE (
  "head" TEXT, "seq" TEXT, "state" TEXT, "id" TEXT, "feed_id" TEXT, "source_id" TEXT, "external_id" TEXT, "version" TEXT,
  "changed_at" TEXT, "title" TEXT, "url" TEXT, "author" TEXT, "date" TEXT, "metadata" TEXT, "text" TEXT
) LANGUAGE plpgsql VOLATILE AS $$
#variable_conflict use_column
DECLARE
  b RECORD;
  bound BIGINT;
BEGIN
  SELECT f.last_value, f.bound, f.system_identifier, f.timeline, f.in_recovery INTO b FROM change_feed_bound() f;
  bound := b.bound::bigint;
  RETURN QUERY SELECT NULL::text, b.last_value, b.bound, b.system_identifier, b.timeline, b.in_recovery,
    NULL::text, NULL::text, NULL::text, NULL::text, NULL::text, NULL::text, NULL::text, NULL::text, NULL::text;
  RETURN QUERY SELECT r.* FROM read_changes(
    the_workspace, coalesce(after, bound), bound, CASE WHEN from_start THEN bound ELSE first_bound END,
    the_source, the_feed, max_rows, max_bytes, with_text) r;
END $$;
