-- `max_bytes` bounds all of a page that others may have made large. An address, an author or an external id was
-- not counted, and metadata only as compressed: a page of a thousand documents whose addresses are `data:` of a
-- megabyte was more than PostgreSQL puts into one string, so nobody came past it. The rest is as it was.
CREATE OR REPLACE FUNCTION "read_changes"(
  the_workspace INTEGER, after BIGINT, bound BIGINT, first_bound BIGINT, the_source TEXT, the_feed TEXT,
  max_rows INTEGER, max_bytes BIGINT, with_text BOOLEAN,
  OUT head TEXT, OUT changes TEXT, OUT last TEXT, OUT has_more BOOLEAN
) LANGUAGE plpgsql STABLE
  SET enable_seqscan = off SET enable_bitmapscan = off SET enable_sort = off SET jit = off
  SET timezone = 'UTC' SET plan_cache_mode = force_generic_plan
AS $$
DECLARE
  n_page BIGINT;
  n_all BIGINT;
BEGIN
  head := change_feed_head(the_workspace, bound, the_source, the_feed);
  SELECT count(*) FILTER (WHERE p.place <= max_rows AND p.before < max_bytes), count(*) INTO n_page, n_all
    FROM (SELECT row_number() OVER o AS place,
                 coalesce(sum(c.bytes) OVER (o ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS before
            FROM (SELECT d.seq, coalesce(octet_length(CASE WHEN with_text THEN d.text END), 0)
                         + coalesce(octet_length(d.title), 0) + coalesce(octet_length(d.url), 0)
                         + coalesce(octet_length(d.author), 0) + coalesce(octet_length(d.external_id), 0)
                         -- pg_column_size() is what is stored, and sixty kilobytes of one letter are stored as one.
                         + CASE WHEN pg_column_compression(d.metadata) IS NULL THEN coalesce(pg_column_size(d.metadata), 0)
                                ELSE octet_length(d.metadata::text) END AS bytes
                    FROM changes_after(the_workspace, after, bound, first_bound, the_source, the_feed, max_rows + 1) d) c
          WINDOW o AS (ORDER BY c.seq)) p;
  has_more := n_all > n_page;
  IF n_page > 0 THEN
    SELECT string_agg(change_json(d, with_text), E',\n'), max(d.seq)::text INTO changes, last
      FROM changes_after(the_workspace, after, bound, first_bound, the_source, the_feed, n_page) d;
  END IF;
END $$;
