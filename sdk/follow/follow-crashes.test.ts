import { describe, expect, it } from "vitest";
import { FakeServer } from "../testing/fake-server.ts";
import { Mirror } from "../testing/mirror.ts";
import { followWith } from "./follow-changes.ts";

const clock = { pause: async () => {}, random: () => 0.5, now: () => performance.now() };

describe.each(["simple", "transactional"] as const)("a crash with a %s copy", (kind) => {
  it("between any two steps loses and repeats nothing that matters", async () => {
    for (let dieAt = 1; ; dieAt++) {
      const { died, ended } = await liveThrough(kind, dieAt);
      expect(ended, `died at step ${dieAt}`).toBe(true);
      if (!died) {
        // The whole story was walked through, a restart with its sweep included.
        expect(dieAt).toBeGreaterThan(15);
        return;
      }
    }
  });

  /** Five documents, a change, an expired position; dies once, at its n-th step. */
  async function liveThrough(kind: "simple" | "transactional", dieAt: number) {
    const server = await FakeServer.start();
    const mirror = new Mirror();
    mirror.dieAt = dieAt;
    let died = false;
    const run = async () => {
      const options = { ...server.access, ...mirror[kind](), limit: 2, stopWhenCaughtUp: true };
      try {
        await followWith(options, clock);
      } catch (error) {
        if (!(error instanceof Error && error.message === "died")) throw error;
        died = true;
        await followWith(options, clock);
      }
    };
    try {
      for (const key of ["a", "b", "c", "d", "e"]) server.log.write(key, "1");
      await run();
      server.log.write("a", "2");
      server.log.write("c", null);
      await run();
      for (const key of ["d", "b"]) server.log.write(key, null);
      server.log.purge();
      for (const key of ["f", "g"]) server.log.write(key, "3");
      await run();
      expect(mirror.contents).toEqual(server.log.documents);
      return { died, ended: true };
    } finally {
      await server.stop();
    }
  }
});
