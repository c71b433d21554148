import { setTimeout as delay } from "node:timers/promises";
import { expect } from "vitest";
import type { Db } from "@/server/db";
import { type LocalUpstream, startUpstream } from "./local-upstream";
import { createRandom, type Random } from "./random";
import { expectStatus, type RestClient, textOf } from "./rest-client";
import { pushVersions, titleOf } from "./versioned-client";
import { type WalkingClient, walk } from "./walking-client";
import type { World } from "./world";

/** Walks of archives that a kill interrupts: so many begin before each. */
const NEW_FEEDS_PER_KILL = 2;
/** A request's place at a host belongs to a dead process for 90 s (server/runs/host-slots.ts). */
const SETTLE_LIMIT_MS = 150_000;

type Followed = { upstream: LocalUpstream; feedId: string };

/**
 * Lets a server sync local upstreams and take pushes while `kill` strikes at random moments, and checks
 * afterwards that the store holds exactly what the upstreams publish and the clients pushed.
 *
 * @param kill Kills, brings back, and returns when that is done.
 */
export async function surviveKills(world: World, kills: number, kill: () => Promise<void>): Promise<void> {
  const random = createRandom();
  console.log(`${kills} kills, TIDEMARK_SEED=${random.seed}`);
  const stop = new AbortController();
  const followed: Followed[] = [];
  try {
    const walker: { stats?: WalkingClient } = {};
    const walkedFeed = await addFeed(world.rest, "api", "default");
    const versionedFeed = await addFeed(world.rest, "api", "default");
    const versions = new Map<string, number>();
    const clients = Promise.all([
      walk(world.rest, walkedFeed, stop.signal, walker),
      pushVersions(world.rest, versionedFeed, versions, random, stop.signal),
      pushVersions(world.rest, versionedFeed, versions, random, stop.signal),
    ]);
    // Seen at the end; a client that gives up must not end the process before.
    clients.catch(() => {});

    for (let count = 0; count < kills; count++) {
      for (let index = 0; index < NEW_FEEDS_PER_KILL; index++) {
        followed.push(await follow(world.rest, `feed-${count}-${index}`, random));
      }
      for (const { upstream } of followed) upstream.publish();
      await delay(random.int(50, 1_500)); // the random moment
      await kill();
    }
    stop.abort();
    await clients;

    await settle(world, followed);
    for (const { upstream, feedId } of followed) await expectStored(world.db, feedId, upstream.truth());
    const newest = [...versions].map(([id, version]): [string, string] => [id, titleOf(id, version)]);
    await expectStored(world.db, versionedFeed, new Map(newest));
    await expectStored(world.db, walkedFeed, walker.stats?.truth() ?? new Map());
    expect(walker.stats?.resumed()).toBeGreaterThan(0);
    expect(walker.stats?.fenced()).toBe(walker.stats?.resumed());
    await expectNoRunOutlivesItsLease(world);
    console.log(
      `walker resumed ${walker.stats?.resumed()} times, ${await world.db.syncRun.count({ where: { status: "abandoned" } })} runs abandoned`,
    );
  } finally {
    stop.abort();
    await Promise.all(followed.map(({ upstream }) => upstream.close()));
  }
}

/** Adds a feed and starts its first walk. */
async function follow(rest: RestClient, name: string, random: Random): Promise<Followed> {
  const upstream = await startUpstream(name, random);
  const feedId = await addFeed(rest, "rss", upstream.url);
  expectStatus(await rest.insist("POST", `/api/v1/feeds/${feedId}/sync`), 202);
  return { upstream, feedId };
}

async function addFeed(rest: RestClient, type: string, externalKey: string): Promise<string> {
  // Every second, so that the scheduler is at work all the time.
  const interval = type === "rss" ? { intervalSeconds: 1 } : {};
  const source = { type, name: externalKey, key: `${type}-${crypto.randomUUID()}` };
  const { id } = expectStatus(await rest.insist("POST", "/api/v1/sources", source), 200, 201);
  const feed = { externalKey, ...interval };
  const answer = await rest.insist("POST", `/api/v1/sources/${textOf(id)}/feeds`, feed);
  return textOf(expectStatus(answer, 200, 201).id);
}

/** The upstreams are quiet now: waits until the store has caught up with them. */
async function settle({ db, rest }: World, followed: Followed[]): Promise<void> {
  const deadline = Date.now() + SETTLE_LIMIT_MS;
  for (const { upstream, feedId } of followed) {
    while (Date.now() < deadline) {
      const stored = await readTitles(db, feedId);
      if (isEqual(stored, upstream.truth())) break;
      expectStatus(await rest.insist("POST", `/api/v1/feeds/${feedId}/sync?wait=10`), 200, 202);
    }
  }
}

async function expectStored(db: Db, feedId: string, truth: Map<string, string>): Promise<void> {
  expect(truth.size).toBeGreaterThan(0);
  expect(sorted(await readTitles(db, feedId))).toEqual(sorted(truth));
  const feed = await db.feed.findFirstOrThrow({ where: { id: feedId } });
  expect(feed.documentCount).toBe(truth.size);
}

async function readTitles(db: Db, feedId: string): Promise<Map<string, string>> {
  const rows = await db.document.findMany({
    where: { feedId, state: "live" },
    select: { externalId: true, title: true },
  });
  return new Map(rows.map((row) => [row.externalId ?? "", row.title ?? ""]));
}

async function expectNoRunOutlivesItsLease({ db, cron, servers }: World): Promise<void> {
  for (const server of servers) await cron(server, "sync");
  const late = await db.$queryRaw`
    SELECT id, status, lease_expires_at FROM sync_runs
     WHERE status = 'running' AND lease_expires_at < clock_timestamp()`;
  expect(late).toEqual([]);
}

function isEqual(a: Map<string, string>, b: Map<string, string>): boolean {
  return a.size === b.size && [...a].every(([key, value]) => b.get(key) === value);
}

function sorted(map: Map<string, string>): [string, string][] {
  return [...map].sort(([a], [b]) => (a < b ? -1 : 1));
}
