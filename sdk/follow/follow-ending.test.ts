import { describe, expect, it } from "vitest";
import { REAL_CLOCK } from "../http/clock.ts";
import { refusing } from "../testing/answers.ts";
import { until, useFollower } from "../testing/follow-fake.ts";
import { followWith } from "./follow-changes.ts";
import type { FollowStatus } from "./options.ts";

const t = useFollower();

describe("ending", () => {
  const atOnce = async (work: Promise<unknown>) => {
    const began = performance.now();
    await work;
    expect(performance.now() - began).toBeLessThan(2000);
  };

  it("is prompt while the server holds the request, and leaves no listener behind", async () => {
    const ending = new AbortController();
    const listeners = countListeners(ending.signal);
    const following = t.follow({ signal: ending.signal, wait: 55 });
    await until(() => t.server.log.waiting === 1);
    ending.abort();
    await atOnce(following);
    await until(() => t.server.log.waiting === 0);
    expect(listeners()).toBe(0);
  });

  it("piles no listeners up on a signal that lives as long as the program", async () => {
    const ending = new AbortController();
    const listeners = countListeners(ending.signal);
    let most = 0;
    for (let n = 0; n < 40; n++) t.write(`d-${n}`);
    const { store, apply } = t.mirror.simple();
    await t.catchUp({
      store,
      signal: ending.signal,
      apply: (changes, step) => {
        most = Math.max(most, listeners());
        apply(changes, step);
      },
    });
    expect(t.mirror.applied).toHaveLength(20);
    expect([most, listeners()]).toEqual([0, 0]);
  });

  it("is prompt during a delay", async () => {
    const ending = new AbortController();
    t.server.faults.push(refusing(429, "rate_limited", { "retry-after": "600" }));
    const onStatus = (status: FollowStatus) => {
      if (status.type === "retrying") queueMicrotask(() => ending.abort());
    };
    await atOnce(
      followWith({ ...t.server.access, ...t.mirror.simple(), signal: ending.signal, onStatus }, REAL_CLOCK),
    );
  });

  it("lets what is being applied finish, its position included", async () => {
    t.write("a", "b", "c");
    const ending = new AbortController();
    const { store, apply } = t.mirror.simple();
    await t.follow({
      store,
      signal: ending.signal,
      apply: async (changes, step) => {
        ending.abort();
        await Promise.resolve();
        apply(changes, step);
      },
    });
    expect(t.mirror.applied).toHaveLength(1);
    expect(t.mirror.position).toBe(t.mirror.applied[0]?.step.position);
  });

  it("by a signal that was aborted before asks for nothing", async () => {
    expect(await t.follow({ signal: AbortSignal.abort() })).toEqual({ changes: 0, restarts: 0 });
    expect(t.server.requests).toEqual([]);
  });

  it("lets an error of the copy through that has nothing to do with it", async () => {
    t.write("a");
    const ending = new AbortController();
    const failure = new Error("disk full");
    const apply = () => {
      ending.abort();
      throw failure;
    };
    await expect(t.follow({ signal: ending.signal, apply })).rejects.toBe(failure);
    const giveUp = () => ending.signal.throwIfAborted();
    await expect(t.follow({ signal: ending.signal, apply: giveUp })).resolves.toBeDefined();
  });
});

function countListeners(signal: AbortSignal): () => number {
  const listeners = new Set<unknown>();
  const { addEventListener, removeEventListener } = signal;
  signal.addEventListener = (...args: Parameters<typeof addEventListener>) => {
    listeners.add(args[1]);
    addEventListener.apply(signal, args);
  };
  signal.removeEventListener = (...args: Parameters<typeof removeEventListener>) => {
    listeners.delete(args[1]);
    removeEventListener.apply(signal, args);
  };
  return () => listeners.size;
}
