import { afterAll, beforeAll, expect, it } from "vitest";
import { type LocalUpstream, startUpstream } from "./local-upstream";
import { createRandom } from "./random";
import { expectStatus } from "./rest-client";
import { createWorld, type World } from "./world";

const FEEDS = 50;

let world: World;
let upstreams: LocalUpstream[];
beforeAll(async () => {
  // Nothing runs by itself: the two cron ticks are all there is.
  world = await createWorld({ servers: 2, env: { TIDEMARK_SCHEDULER: "off" } });
  const random = createRandom();
  upstreams = await Promise.all(
    Array.from({ length: FEEDS }, (_, index) => startUpstream(`due-${index}`, random, { archivePages: 0 })),
  );
});
afterAll(async () => {
  await Promise.all((upstreams ?? []).map((upstream) => upstream.close()));
  await world?.end();
});

it("runs 50 due feeds 50 times when two servers get a cron tick at the same moment", async () => {
  const feeds = upstreams.map((upstream) => ({ externalKey: upstream.url }));
  expectStatus(await world.rest.send("POST", "/api/v1/sources", { type: "rss", name: "Fifty", feeds }), 201);

  const answers = await Promise.all(world.servers.map((server) => world.cron(server, "sync")));

  const claimed = answers.map((answer) => Number(answer.claimed));
  expect(claimed.reduce((sum, count) => sum + count, 0)).toBe(FEEDS);
  expect(Math.min(...claimed), "both had their share").toBeGreaterThan(0);
  const runs = await world.db.syncRun.findMany({ select: { feedId: true, status: true } });
  expect(runs.map((run) => run.status)).toEqual(Array(FEEDS).fill("succeeded"));
  expect(new Set(runs.map((run) => run.feedId)).size).toBe(FEEDS);
  for (const answer of answers) expect(answer).toMatchObject({ failed: 0, remaining: 0 });
});
