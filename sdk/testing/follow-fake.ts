import { afterEach, beforeEach } from "vitest";
import { followWith } from "../follow/follow-changes.ts";
import type { FollowOptions } from "../follow/options.ts";
import { FakeServer } from "./fake-server.ts";
import { Mirror } from "./mirror.ts";

/** A server and an empty copy for each test, and followers between them for which delays take no time. */
export function useFollower() {
  const t = {
    server: undefined as unknown as FakeServer,
    mirror: new Mirror(),
    /** Every delay asked for, in milliseconds. */
    pauses: [] as number[],
    clock: {
      pause: async (ms: number): Promise<void> => void t.pauses.push(ms),
      random: () => 0.5,
      now: () => performance.now(),
    },
    follow: (options: Partial<FollowOptions> = {}) =>
      followWith({ ...t.server.access, ...t.mirror.simple(), limit: 2, ...options }, t.clock),
    catchUp: (options: Partial<FollowOptions> = {}) => t.follow({ stopWhenCaughtUp: true, ...options }),
    write(...keys: string[]) {
      for (const key of keys) t.server.log.write(key, `${key} as written`);
    },
  };
  beforeEach(async () => {
    t.server = await FakeServer.start();
    t.mirror = new Mirror();
    t.pauses = [];
  });
  afterEach(() => t.server.stop());
  return t;
}

/** Resolves as soon as it is so; the test's own time limit is the deadline. */
export async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((turn) => setImmediate(turn));
}
