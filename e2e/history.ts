import type { App } from "./serve-app";

/** Thirty days of runs for every feed, some of them failed, and deletes that wait for a decision. */
export async function addHistory(app: App, heldFeedId: string): Promise<void> {
  await app.sql(`
    INSERT INTO sync_runs (workspace_id, id, feed_id, source_id, status, trigger, executor, actor,
                           queued_at, started_at, finished_at, pages, created, updated, skipped, deleted, requests, bytes)
    SELECT f.workspace_id, 'run_01j' || lpad(day::text, 6, '0') || right(f.id, 17), f.id, f.source_id,
           (CASE WHEN day % 11 = 3 THEN 'failed' WHEN day % 7 = 2 THEN 'partial' ELSE 'succeeded' END)::"RunStatus",
           'schedule', 'cloud', '{"type":"scheduler"}', began, began,
           began + make_interval(secs => 2 + (day * 7 % 13)), 1 + day % 4, (day * 13) % 40, (day * 5) % 12, 10,
           CASE WHEN day % 6 = 0 THEN 3 ELSE 0 END, 2, 48000
      FROM feeds f, generate_series(1, 29) AS day,
           LATERAL (SELECT now() - make_interval(days => day, hours => day % 5) AS began) AS t`);
  await app.sql(
    `INSERT INTO sync_runs (workspace_id, id, feed_id, source_id, status, trigger, executor, actor,
                            queued_at, started_at, finished_at, created, updated)
     SELECT workspace_id, 'run_01jminute' || lpad(n::text, 4, '0') || right(id, 13), id, source_id, 'succeeded', 'api',
            'api', '{"type":"cli"}', t, t, t + interval '20 seconds', 5 + (n * 17) % 60, n % 9
       FROM feeds, generate_series(1, 50) AS n, LATERAL (SELECT now() - make_interval(mins => n)) AS at(t)
      WHERE id = $1`,
    [heldFeedId],
  );
  await app.sql(
    `INSERT INTO held_deletes (workspace_id, id, feed_id, run_id, count, sample, reason, at)
     SELECT workspace_id, 'hold_01j00000000000000000000000', id, 'run_01jminute0001' || right(id, 13), 1204,
            '["tide-7", "tide-8", "tide-9"]', 'The listing lacked 1,204 of 1,300 documents.', now()
       FROM feeds WHERE id = $1`,
    [heldFeedId],
  );
}
