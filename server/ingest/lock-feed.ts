import { AppError } from "@/server/errors";
import type { SqlTx } from "@/server/sql-transaction";

export type LockedFeed = {
  id: string;
  sourceId: string;
  watermark: "date" | "idSet" | "token" | "none" | null;
  cursor: string | null;
  versionKind: "decimal" | "timestamp" | null;
  state: "active" | "paused" | "needs_reconnect" | "disabled" | "deleting";
  documentCount: number;
  /** Database time at which the transaction began. */
  now: Date;
};

/**
 * Locks a feed's row until the transaction ends. Every path that writes a feed's documents or cursor
 * comes through here first, so there is one writer per feed and no lock order to get wrong.
 *
 * @param options.tellsReaders the caller publishes what it wrote right after the commit
 *   (server/live/publish.ts), so the transaction need not: a notifying commit waits for all others.
 * @throws AppError feed_not_found also for another workspace's feed.
 */
export async function lockFeed(
  tx: SqlTx,
  workspaceId: number,
  feedId: string,
  { tellsReaders = false }: { tellsReaders?: boolean } = {},
): Promise<LockedFeed> {
  // Raw because Prisma has no FOR UPDATE. Whatever follows in a writing transaction looks rows up by key;
  // on a table that was small at its last ANALYZE the planner would rather scan it, and keeps the plan.
  const [feed] = await tx.$queryRaw<LockedFeed[]>`/* prepared */
    SELECT id, source_id AS "sourceId", watermark::text, cursor, version_kind::text AS "versionKind",
           state::text, document_count AS "documentCount", now() AS now,
           set_config('enable_seqscan', 'off', true) AS planner,
           set_config('tidemark.tells_readers', ${tellsReaders ? "1" : ""}, true) AS telling
      FROM feeds
     WHERE workspace_id = ${workspaceId}::int AND id = ${feedId}
       FOR UPDATE`;
  if (!feed) throw new AppError("feed_not_found", "There is no such feed in this workspace.");
  return feed;
}

/** Refuses writes to a feed that must not receive any. A paused feed still accepts pushes. */
export function requireWritable(feed: LockedFeed): void {
  if (feed.state === "deleting") throw new AppError("feed_deleting", "This feed is being deleted.");
  if (feed.state === "disabled") {
    throw new AppError("feed_disabled", "This feed is disabled. Resume it before sending documents.");
  }
}
