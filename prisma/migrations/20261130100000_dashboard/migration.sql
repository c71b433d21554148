-- What the dashboard's lists and charts read. None of it can be said in the Prisma schema: expressions,
-- INCLUDE, partial. Each costs a push some microseconds; none is on `documents`' hot path.

-- Runs by when they began; one that still waits counts from when it was queued.
CREATE INDEX "sync_runs_began" ON "sync_runs" ("workspace_id", (coalesce("started_at", "queued_at")), "id");
-- The longest runs. What never began or has not ended has no length.
CREATE INDEX "sync_runs_length" ON "sync_runs" ("workspace_id", (coalesce("finished_at" - "started_at", '0'::interval)), "id");
-- The runs that changed most.
CREATE INDEX "sync_runs_changes" ON "sync_runs" ("workspace_id", ("created" + "updated" + "deleted"), "id");
-- Sums and percentiles per day, from the index alone.
CREATE INDEX "sync_runs_finished" ON "sync_runs" ("workspace_id", "finished_at")
  INCLUDE ("started_at", "status", "executor", "created", "updated", "deleted");
-- Tombstones are rare: without this a list of them would walk past everything that lives.
CREATE INDEX "documents_tombstones" ON "documents" ("workspace_id", "seq") WHERE "state" = 'tombstone';
-- What a run did to a cursor.
CREATE INDEX "cursor_transitions_run" ON "cursor_transitions" ("workspace_id", "run_id") WHERE "run_id" IS NOT NULL;
-- Folded days across feeds.
CREATE INDEX "run_days_day" ON "run_days" ("workspace_id", "day");
