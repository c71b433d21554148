import type { Caller } from "@/server/actor";
import type { Db } from "@/server/db";
import { MAX_COUNTED_DELETES } from "./choices";
import type { RetentionEffect } from "./schema";

/**
 * What would be forgotten if deletes were kept for so many days. Purging goes in the order of the feed, so
 * the oldest are looked at, as far as can be said in numbers; the margin that it adds is left out.
 */
export async function previewRetention(
  db: Db,
  { workspaceId }: Pick<Caller, "workspaceId">,
  { days }: { days: number },
): Promise<RetentionEffect> {
  const [row] = await db.$queryRaw<RetentionEffect[]>`
    WITH old AS (SELECT now() - make_interval(days => ${days}::int) AS before),
    oldest AS (
      SELECT d.changed_at FROM documents d
       WHERE d.workspace_id = ${workspaceId}::int AND d.state = 'tombstone' AND d.seq IS NOT NULL
       ORDER BY d.seq LIMIT ${MAX_COUNTED_DELETES}::int)
    SELECT (SELECT count(*)::int FROM oldest, old WHERE oldest.changed_at < old.before) AS deletes,
           coalesce((
             SELECT array_agg(c.name ORDER BY c.name)
               FROM consumers c
               JOIN workspaces w ON w.id = c.workspace_id
              CROSS JOIN old
              CROSS JOIN instance i
              CROSS JOIN LATERAL (
                SELECT d.changed_at FROM documents d
                 WHERE d.workspace_id = ${workspaceId}::int AND d.state = 'tombstone' AND d.seq IS NOT NULL
                   AND d.seq > greatest(c.position, coalesce(c.snapshot_bound, 0))
                 ORDER BY d.seq LIMIT 1) loss
              WHERE c.workspace_id = ${workspaceId}::int AND c.position > 0 AND c.epoch = i.epoch
                AND greatest(c.position, coalesce(c.snapshot_bound, 0)) >= w.horizon
                AND loss.changed_at < old.before), '{}') AS consumers`;
  return row ?? { deletes: 0, consumers: [] };
}
