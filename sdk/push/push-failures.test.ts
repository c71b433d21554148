import { describe, expect, it } from "vitest";
import { cutHalfway, refusing } from "../testing/answers.ts";
import { numbered, useFeed } from "../testing/push-fake.ts";

const t = useFeed();

describe("failures on the way", () => {
  it("are tried again; what arrived before is recognised", async () => {
    t.server.faults.push(
      refusing(503, "unavailable"),
      refusing(429, "rate_limited", { "retry-after": "3" }),
      cutHalfway,
    );
    const push60 = t.push({ documents: numbered(1, 60), cursor: "60", cursorBefore: null });
    expect(await push60).toMatchObject({ created: 60, cursor: "60", cursorOutcome: "advanced" });
    expect(t.pauses).toEqual([250, 3500, 1000]);
  });

  it("between storing and answering make no conflict and no second copy", async () => {
    t.server.answersToLose = 2;
    const summary = await t.push({ documents: numbered(1, 60), cursor: "60", cursorBefore: null });
    expect(summary).toMatchObject({ documentsSkipped: 50, created: 10, cursor: "60", conflict: false });
    t.server.answersToLose = 1;
    expect(await t.push({ documents: numbered(61, 70), cursor: "70", cursorBefore: "60" })).toMatchObject({
      documentsSkipped: 10,
      cursor: "70",
      cursorOutcome: "unchanged",
      conflict: false,
    });
  });

  it("that last are thrown after ten attempts", async () => {
    for (let i = 0; i < 10; i++) t.server.faults.push(refusing(503, "unavailable"));
    await expect(t.push({ documents: numbered(1, 2) })).rejects.toMatchObject({ code: "unavailable" });
    expect(t.pauses).toHaveLength(9);
    expect(t.feed.calls).toEqual([]);
  });

  it.each([
    [401, "unauthenticated"],
    [403, "forbidden"],
    [404, "feed_not_found"],
    [409, "run_fenced"],
    [422, "cursor_invalid"],
  ])("that cannot pass are thrown at once: %i %s", async (status, code) => {
    t.server.faults.push(refusing(status, code));
    await expect(t.push({ documents: numbered(1, 2) })).rejects.toMatchObject({ code, status });
    expect(t.pauses).toEqual([]);
  });
});

describe("ending", () => {
  it("by the signal is prompt while the source hangs, and leaves the source when it wakes up", async () => {
    const ending = new AbortController();
    let wake = () => {};
    let isClosed = false;
    async function* documents() {
      try {
        yield* numbered(1, 60);
        queueMicrotask(() => ending.abort(new Error("enough")));
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      } finally {
        isClosed = true;
      }
    }
    await expect(t.push({ documents: documents(), cursor: "60", signal: ending.signal })).rejects.toThrow(
      "enough",
    );
    expect(t.feed.cursor).toBeNull();
    wake();
    await new Promise((turn) => setImmediate(turn));
    expect(isClosed).toBe(true);
  });

  it("by a refused call closes the source", async () => {
    let isClosed = false;
    function* documents() {
      try {
        yield* numbered(1, 200);
      } finally {
        isClosed = true;
      }
    }
    t.server.faults.push(refusing(403, "forbidden"));
    await expect(t.push({ documents: documents() })).rejects.toMatchObject({ code: "forbidden" });
    expect(isClosed).toBe(true);
  });

  it("lets what the source threw through, and does not move the cursor", async () => {
    const failure = new Error("upstream is down");
    async function* documents() {
      yield* numbered(1, 60);
      throw failure;
    }
    await expect(t.push({ documents: documents(), cursor: "60" })).rejects.toBe(failure);
    expect([t.feed.documents.size, t.feed.cursor]).toEqual([50, null]);
  });
});
