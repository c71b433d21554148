import { describe, expect, it } from "vitest";
import { createMemoryStore } from "../stores/memory-store.ts";
import { answering, refusing } from "../testing/answers.ts";
import { until, useFollower } from "../testing/follow-fake.ts";
import type { FollowStatus } from "./options.ts";

const t = useFollower();

describe("an ordinary life", () => {
  it("walks from the beginning, then takes up where it was", async () => {
    t.write("a", "b", "c", "d", "e");
    t.server.log.write("b", null);
    expect(await t.catchUp()).toEqual({ changes: 4, restarts: 0 });
    expect(t.mirror.contents).toEqual(t.server.log.documents);

    t.server.log.write("a", "new");
    t.server.log.write("c", null);
    expect(await t.catchUp()).toEqual({ changes: 2, restarts: 0 });
    expect(t.mirror.contents).toEqual(t.server.log.documents);
  });

  it("asks at once while there is more, then lets the server hold the request", async () => {
    t.write("a", "b", "c");
    const ending = new AbortController();
    const following = t.follow({ signal: ending.signal, wait: 7 });
    await until(() => t.server.log.waiting === 1);
    ending.abort();
    await following;
    expect(t.server.requests.map(({ query }) => query.get("wait"))).toEqual([null, null, "7"]);
  });

  it("receives what is written while it waits", async () => {
    const ending = new AbortController();
    const following = t.follow({ signal: ending.signal });
    await until(() => t.server.log.waiting === 1);
    t.write("a");
    await until(() => t.mirror.documents.has("a"));
    ending.abort();
    expect(await following).toEqual({ changes: 1, restarts: 0 });
  });

  it("sends the filter, and what else it was given, with every request", async () => {
    t.write("a", "b", "c", "d");
    await t.catchUp({ feedId: "a", sourceId: "src_1", text: true, consumer: "copy", limit: 1 });
    for (const { query } of t.server.requests) {
      const { cursor: _, ...sent } = Object.fromEntries(query);
      expect(sent).toEqual({ limit: "1", feedId: "a", sourceId: "src_1", text: "true", consumer: "copy" });
    }
    expect([...t.mirror.documents.keys()]).toEqual(["a"]);
  });

  it("stores a cursor that moved past what the filter left out, so that it does not expire", async () => {
    await t.catchUp({ feedId: "a" });
    const before = t.mirror.position;
    t.write("b1", "b2");
    await t.catchUp({ feedId: "a" });
    expect(t.mirror.position).not.toBe(before);
    t.server.log.purge();
    expect(await t.catchUp({ feedId: "a" })).toMatchObject({ restarts: 0 });
  });

  it("does not call on the store when nothing moved", async () => {
    t.write("a");
    await t.catchUp();
    await t.catchUp();
    expect(t.mirror.applied).toHaveLength(1);
  });

  it("tells what it is doing", async () => {
    t.write("a", "b", "c");
    const statuses: FollowStatus[] = [];
    const ending = new AbortController();
    const onStatus = (status: FollowStatus) => {
      statuses.push(status);
      if (status.type === "waiting") ending.abort();
    };
    await t.follow({ onStatus, signal: ending.signal });
    expect(statuses).toEqual([
      { type: "applied", changes: 2, hasMore: true, sweep: false },
      { type: "applied", changes: 1, hasMore: false, sweep: true },
      { type: "waiting" },
    ]);
  });
});

describe("an expired position", () => {
  it("starts again, and removes at the end what the walk did not bring", async () => {
    t.write("a", "b", "c", "d");
    await t.catchUp();
    t.server.log.write("b", null);
    t.server.log.purge();
    t.write("e");
    const statuses: FollowStatus[] = [];
    expect(await t.catchUp({ onStatus: (status) => statuses.push(status) })).toEqual({
      changes: 4,
      restarts: 1,
    });
    expect(statuses[0]).toMatchObject({ type: "restarting", reason: "horizon" });
    expect(t.mirror.contents).toEqual(t.server.log.documents);
    expect(t.pauses).toEqual([]);
  });

  it("keeps the copy whole until the walk is complete", async () => {
    t.write("a", "b", "c", "d");
    await t.catchUp();
    t.server.log.rewind((key) => key !== "a");
    const sizes: number[] = [];
    const { store, apply } = t.mirror.simple();
    await t.catchUp({
      store,
      apply: (changes, step) => {
        apply(changes, step);
        sizes.push(t.mirror.documents.size);
      },
    });
    expect(sizes).toEqual([4, 3]);
    expect(t.mirror.applied.slice(2).map(({ step }) => [step.begins, step.sweep])).toEqual([
      [true, false],
      [false, true],
    ]);
  });

  it("may expire again in the middle of the walk, and slows down then", async () => {
    t.write("a", "b", "c", "d", "e");
    await t.catchUp();
    t.server.log.rewind(() => true);
    const { store, apply } = t.mirror.simple();
    let rewinds = 3;
    const summary = await t.catchUp({
      store,
      apply: (changes, step) => {
        apply(changes, step);
        if (rewinds-- > 0) t.server.log.rewind((key) => key !== "a");
      },
    });
    expect(summary.restarts).toBe(4);
    expect(t.mirror.contents).toEqual(t.server.log.documents);
    expect(t.pauses).toEqual([500, 1000, 2000]);
  });

  it("is not taken from another's 410: a proxy must not empty the copy", async () => {
    t.write("a");
    await t.catchUp();
    t.server.faults.push(answering(410, "text/html", "<h1>Gone</h1>"));
    await expect(t.catchUp()).rejects.toMatchObject({ code: "unexpected_answer", status: 410 });
    expect(t.mirror.contents).toEqual(t.server.log.documents);
  });

  it("is refused where there was no position to expire", async () => {
    t.server.faults.push(refusing(410, "cursor_expired"));
    await expect(t.catchUp()).rejects.toMatchObject({ code: "cursor_expired" });
  });
});

it("walks again at every start with a store in memory, and sweeps what is gone", async () => {
  t.write("a", "b");
  await t.catchUp({ store: createMemoryStore() });
  t.server.log.write("a", null);
  const { apply } = t.mirror.simple();
  await t.catchUp({ store: createMemoryStore(), apply });
  expect(t.mirror.contents).toEqual(t.server.log.documents);
});
