import { afterEach, beforeEach, expect, it } from "vitest";
import { surviveKills } from "./survive-kills";
import { createWorld, type World } from "./world";

/** 5 in `npm test`, 25 in `npm run soak`. */
const KILLS = Number(process.env.TIDEMARK_KILLS ?? 5);
const TIME_LIMIT_MS = 240_000 + KILLS * 20_000;

let world: World;
beforeEach(async () => {
  world = await createWorld();
});
afterEach(() => world.end());

it(
  "holds what upstreams and clients said, although the server is killed at random moments",
  async () => {
    const [server] = world.servers;
    await surviveKills(world, KILLS, async () => {
      await server?.kill();
      await server?.restart();
    });
  },
  TIME_LIMIT_MS,
);

it(
  "holds what upstreams and clients said, although PostgreSQL is killed at random moments",
  async () => {
    await surviveKills(world, KILLS, async () => {
      await world.cluster.kill();
      await world.cluster.start();
    });
    // The server came through it without a restart.
    expect(world.servers[0]?.output()).not.toContain("unhandled");
  },
  TIME_LIMIT_MS,
);
