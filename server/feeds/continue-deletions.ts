import type { Db } from "@/server/db";
import { log } from "@/server/log";
import { finishSourceDeletion } from "@/server/sources/finish-source-deletion";
import { finishFeedDeletion } from "./finish-feed-deletion";

/** Feeds and sources looked at per call; the next call takes the next ones. */
const MAX_ROWS = 100;

/**
 * Goes on with every delete that an earlier call began, in all workspaces: called by maintenance
 * every few seconds. Idempotent; several processes may call it at once. One that fails does not keep
 * the others waiting: it is tried again, after them.
 *
 * @param budgetMs stop beginning batches after so long; `signal` likewise.
 * @throws the first failure, once everything else had its turn.
 */
export async function continueDeletions(
  db: Db,
  { budgetMs = 10_000, signal }: { budgetMs?: number; signal?: AbortSignal } = {},
): Promise<{ feeds: number; sources: number }> {
  const deadline = performance.now() + budgetMs;
  const mayGoOn = () => performance.now() < deadline && !signal?.aborted;
  const done = { feeds: 0, sources: 0 };
  const failures: unknown[] = [];

  const feeds = await db.feed.findMany({
    where: { state: "deleting" },
    select: { workspaceId: true, id: true },
    orderBy: [{ updatedAt: "asc" }, { id: "asc" }],
    take: MAX_ROWS,
  });
  // The first feed gets at least one batch, however small the budget: every call is a step nearer.
  for (const [index, { workspaceId, id }] of feeds.entries()) {
    if (index > 0 && !mayGoOn()) break;
    try {
      if (await finishFeedDeletion(db, { workspaceId, feedId: id }, mayGoOn)) done.feeds += 1;
    } catch (error) {
      log.error({ err: error, workspaceId, feedId: id }, "a feed could not be deleted");
      failures.push(error);
      await sendToTheEnd(db, workspaceId, id);
    }
  }

  // These take a moment, so they are not kept waiting by a large feed's rounds.
  if (!signal?.aborted) {
    const sources = await db.source.findMany({
      where: { state: "deleting", feeds: { none: {} } },
      select: { workspaceId: true, id: true },
      orderBy: [{ updatedAt: "asc" }, { id: "asc" }],
      take: MAX_ROWS,
    });
    for (const { workspaceId, id } of sources) {
      try {
        if (await finishSourceDeletion(db, { workspaceId, sourceId: id })) done.sources += 1;
      } catch (error) {
        log.error({ err: error, workspaceId, sourceId: id }, "a source could not be deleted");
        failures.push(error);
      }
    }
  }
  if (failures.length > 0) throw failures[0];
  return done;
}

/** Otherwise a hundred that fail would stand before all others for ever. */
async function sendToTheEnd(db: Db, workspaceId: number, feedId: string): Promise<void> {
  await db.feed
    .updateMany({ where: { workspaceId, id: feedId, state: "deleting" }, data: { updatedAt: new Date() } })
    .catch((error: unknown) => log.warn({ err: error, feedId }, "a failed deletion keeps its place"));
}
