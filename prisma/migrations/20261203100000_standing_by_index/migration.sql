-- A session keeps the plan that it once made. One made while `documents` was almost empty scanned the table, and went on
-- to when it held millions, at every page that was read ahead. As read_changes() does, leave the planner the index.
ALTER FUNCTION "change_feed_standing"(INTEGER) SET enable_seqscan = off SET enable_bitmapscan = off SET jit = off;
