import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { seedLargeWorkspace } from "@/scripts/large-workspace";
import type { Caller } from "@/server/actor";
import { browseConsumers } from "@/server/changes/browse-consumers";
import { CONSUMER_SORTS } from "@/server/changes/choices";
import { getChangeFeedStatus } from "@/server/changes/get-change-feed-status";
import { nameFeeds } from "@/server/changes/name-feeds";
import { previewRetention } from "@/server/changes/preview-retention";
import { parsePage, pullChanges } from "@/server/changes/pull-changes";
import { createDb, type Db } from "@/server/db";
import { browseDocuments } from "@/server/documents/browse-documents";
import { getDocumentStory } from "@/server/documents/get-document-story";
import { browseFeeds } from "@/server/feeds/browse-feeds";
import { browseRejections } from "@/server/feeds/browse-rejections";
import { listMatchingFeeds } from "@/server/feeds/bulk-feeds";
import { FEED_SORTS } from "@/server/feeds/choices";
import { readFeedHistory } from "@/server/feeds/feed-history";
import { getCharts } from "@/server/overview/get-charts";
import { getOverview } from "@/server/overview/get-overview";
import { browseRuns } from "@/server/runs/browse-runs";
import { RUN_SORTS } from "@/server/runs/choices";
import { getRunProgress } from "@/server/runs/get-run-progress";
import { browseSources } from "@/server/sources/browse-sources";
import { listMatchingSources } from "@/server/sources/bulk-sources";
import { SOURCE_SORTS } from "@/server/sources/choices";
import { countingDb } from "@/test/counting-db";
import { useDatabase } from "@/test/database";
import { createCaller } from "@/test/factories";

const t = useDatabase();
/** Two workspaces, one ten times the other: what pages cost must not tell them apart. */
let small: World;
let large: World;
/**
 * One session for all that is done here: a session tells only now and then what it scanned, and what another had
 * scanned before would be taken for the page's.
 */
let single: Db;

type World = { caller: Caller; feedIds: string[]; sourceId: string; runId: string; documentId: string };

beforeAll(async () => {
  single = createDb(t.url, 1);
  small = await seed({ sources: 10, feeds: 40, documents: 2_000, runs: 2_000 });
  large = await seed({ sources: 60, feeds: 400, documents: 60_000, runs: 20_000 });
}, 120_000);
afterAll(() => single.$disconnect());

async function seed(sizes: Parameters<typeof seedLargeWorkspace>[2]): Promise<World> {
  const caller = await createCaller(single);
  const { workspaceId } = caller;
  await seedLargeWorkspace(single, workspaceId, sizes);
  const feeds = await single.feed.findMany({
    where: { workspaceId },
    take: 50,
    select: { id: true, sourceId: true },
  });
  const run = await single.syncRun.findFirstOrThrow({ where: { workspaceId } });
  const document = await single.document.findFirstOrThrow({ where: { workspaceId, state: "live" } });
  const { epoch } = await single.instance.findFirstOrThrow();
  const [feed] = feeds;
  await single.consumer.createMany({
    data: [{}, { feedId: feed?.id }, { sourceId: feed?.sourceId }, { position: 1n }].map((filter, index) => ({
      ...{ workspaceId, name: `c${index}`, epoch, position: 0n, actor: caller.actor },
      ...filter,
    })),
  });
  return {
    caller,
    feedIds: feeds.map((feed) => feed.id),
    sourceId: feeds[0]?.sourceId ?? "",
    runId: run.id,
    documentId: document.id,
  };
}

const dayAgo = () => new Date(Date.now() - 86_400_000);
type Page = (db: Db, world: World) => Promise<unknown>;

const PAGES: Record<string, Page> = {
  overview: (db, { caller }) => getOverview(db, caller),
  charts: (db, { caller }) => getCharts(db, caller),
  "sources matching": (db, { caller }) => listMatchingSources(db, caller, { status: "failing" }),
  "feeds matching": (db, { caller }) => listMatchingFeeds(db, caller, { cause: "failing:forbidden" }),
  "feeds of a source": (db, { caller, sourceId }) => browseFeeds(db, caller, { sourceId }),
  "feeds by cause": (db, { caller }) => browseFeeds(db, caller, { cause: "rejections", q: "example" }),
  "feeds' history": (db, { caller, feedIds }) => readFeedHistory(db, caller, { feedIds }),
  "runs of a feed": (db, { caller, feedIds }) => browseRuns(db, caller, { feedId: feedIds[0] }),
  "runs of a source": (db, { caller, sourceId }) => browseRuns(db, caller, { sourceId }),
  "runs that failed": (db, { caller }) => browseRuns(db, caller, { status: "failed" }),
  "runs of a day": (db, { caller }) => browseRuns(db, caller, { since: dayAgo() }),
  "runs before": (db, { caller }) => browseRuns(db, caller, { until: dayAgo() }),
  run: (db, { caller, runId }) => getRunProgress(db, caller, { runId }),
  documents: (db, { caller }) => browseDocuments(db, caller, {}),
  "documents, oldest first": (db, { caller }) => browseDocuments(db, caller, { dir: "asc" }),
  "documents of a feed": (db, { caller, feedIds }) => browseDocuments(db, caller, { feedId: feedIds[0] }),
  "documents of a source": (db, { caller, sourceId }) => browseDocuments(db, caller, { sourceId }),
  "documents by title": (db, { caller }) => browseDocuments(db, caller, { q: "skagen" }),
  "deleted documents": (db, { caller }) => browseDocuments(db, caller, { state: "deleted" }),
  document: (db, { caller, documentId }) => getDocumentStory(db, caller, { documentId }),
  "the change feed's head": (db, { caller }) => getChangeFeedStatus(db, caller),
  "a shorter retention's effect": (db, { caller }) => previewRetention(db, caller, { days: 1 }),
  "the last changes": (db, { caller }) => browseDocuments(db, caller, { state: "any", limit: 25 }),
  "the last changes of a source": (db, { caller, sourceId }) =>
    browseDocuments(db, caller, { state: "any", sourceId }),
  "a page of changes with names": async (db, { caller }) => {
    const principal = { caller, scopes: new Set([]), role: null, userId: null, tokenId: null };
    return nameFeeds(db, caller, parsePage(await pullChanges(db, principal, caller, {})));
  },
  rejections: (db, { caller }) => browseRejections(db, caller, {}),
  ...Object.fromEntries([
    ...CONSUMER_SORTS.map((sort): [string, Page] => [
      `consumers by ${sort}`,
      (db, { caller }) => browseConsumers(db, caller, { sort }),
    ]),
    ...SOURCE_SORTS.map((sort): [string, Page] => [
      `sources by ${sort}`,
      (db, { caller }) => browseSources(db, caller, { sort }),
    ]),
    ...FEED_SORTS.map((sort): [string, Page] => [
      `feeds by ${sort}`,
      (db, { caller }) => browseFeeds(db, caller, { sort }),
    ]),
    ...RUN_SORTS.map((sort): [string, Page] => [
      `runs by ${sort}`,
      (db, { caller }) => browseRuns(db, caller, { sort }),
    ]),
  ]),
};

const names = Object.keys(PAGES);

describe("a page of a large workspace", () => {
  it.each(names)("%s takes as many queries as that of a small one", async (name) => {
    const [few, many] = await Promise.all(
      [small, large].map(async (world) => {
        const counted = countingDb(single);
        await PAGES[name]?.(counted.db, world);
        return counted.queries();
      }),
    );
    expect(many).toBe(few);
    expect(many).toBeLessThanOrEqual(8);
  });

  it.each(names)("%s scans neither documents nor runs from end to end", async (name) => {
    await PAGES[name]?.(single, large); // Prisma's own first questions are not the page's
    const before = await readScans();
    await PAGES[name]?.(single, large);
    expect(await readScans()).toEqual(before);
  });
});

/** How often this session's database scanned its big tables so far. */
async function readScans(): Promise<Record<string, bigint>> {
  await single.$queryRaw`SELECT pg_stat_force_next_flush()::text`;
  const rows = await single.$queryRaw<{ name: string; scans: bigint }[]>`
    SELECT relname AS name, seq_scan AS scans FROM pg_stat_user_tables
     WHERE relname IN ('documents', 'sync_runs', 'run_events')`;
  return Object.fromEntries(rows.map((row) => [row.name, row.scans]));
}

it("notices a scan when there is one", async () => {
  const before = await readScans();
  await single.$queryRaw`SELECT count(*) FROM sync_runs WHERE request_id = 'nobody'`;
  expect(await readScans()).not.toEqual(before);
});
