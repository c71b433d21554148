import type { Db } from "@/server/db";
import type { RunNames } from "./run-shape";

type Refs = { feedId: string; sourceId: string };

/** What the feeds and sources of these runs are called now: two queries, however many runs. */
export async function readRunNames(
  db: Db,
  workspaceId: number,
  runs: Refs[],
): Promise<(run: Refs) => RunNames> {
  const feedIds = [...new Set(runs.map((run) => run.feedId))];
  const sourceIds = [...new Set(runs.map((run) => run.sourceId))];
  if (runs.length === 0) return () => ({ feedName: null, sourceName: null });
  const [feeds, sources] = await Promise.all([
    db.feed.findMany({
      where: { workspaceId, id: { in: feedIds } },
      select: { id: true, name: true, upstreamTitle: true, externalKey: true },
    }),
    db.source.findMany({ where: { workspaceId, id: { in: sourceIds } }, select: { id: true, name: true } }),
  ]);
  const feedNames = new Map(
    feeds.map((feed) => [feed.id, feed.name ?? feed.upstreamTitle ?? feed.externalKey]),
  );
  const sourceNames = new Map(sources.map((source) => [source.id, source.name]));
  return (run) => ({
    feedName: feedNames.get(run.feedId) ?? null,
    sourceName: sourceNames.get(run.sourceId) ?? null,
  });
}
