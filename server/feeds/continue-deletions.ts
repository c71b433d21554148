import type { Db } from "@/server/db";
import { finishSourceDeletion } from "@/server/sources/finish-source-deletion";
import { finishFeedDeletion } from "./finish-feed-deletion";

/** Feeds and sources looked at per call; the next call takes the next ones. */
const MAX_ROWS = 100;

/**
 * Goes on with every delete that an earlier call began, in all workspaces: called by maintenance
 * every few seconds. Idempotent; several processes may call it at once.
 *
 * @param budgetMs stop beginning batches after so long; `signal` likewise.
 */
export async function continueDeletions(
  db: Db,
  { budgetMs = 10_000, signal }: { budgetMs?: number; signal?: AbortSignal } = {},
): Promise<{ feeds: number; sources: number }> {
  const deadline = performance.now() + budgetMs;
  const mayGoOn = () => performance.now() < deadline && !signal?.aborted;
  const done = { feeds: 0, sources: 0 };

  const feeds = await db.feed.findMany({
    where: { state: "deleting" },
    select: { workspaceId: true, id: true },
    orderBy: [{ updatedAt: "asc" }, { id: "asc" }],
    take: MAX_ROWS,
  });
  // The first feed gets at least one batch, however small the budget: every call is a step nearer.
  for (const [index, { workspaceId, id }] of feeds.entries()) {
    if (index > 0 && !mayGoOn()) return done;
    if (await finishFeedDeletion(db, { workspaceId, feedId: id }, mayGoOn)) done.feeds += 1;
  }

  const sources = await db.source.findMany({
    where: { state: "deleting", feeds: { none: {} } },
    select: { workspaceId: true, id: true },
    take: MAX_ROWS,
  });
  for (const { workspaceId, id } of sources) {
    if (await finishSourceDeletion(db, { workspaceId, sourceId: id })) done.sources += 1;
  }
  return done;
}
