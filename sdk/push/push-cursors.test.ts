import { describe, expect, it } from "vitest";
import { numbered, useFeed } from "../testing/push-fake.ts";

const t = useFeed();

describe("checkpoints", () => {
  it("move the cursor while the push goes on, never past what has arrived", async () => {
    function* walk() {
      for (const document of numbered(1, 120)) {
        yield document;
        const n = Number(String(document.id).slice(2));
        if (n % 30 === 0) yield { checkpoint: String(n) };
      }
    }
    await t.push({ documents: walk(), cursorBefore: null });
    expect(t.calls()).toEqual([
      [50, "30", null],
      [50, "90", "30"],
      [20, "120", "90"],
    ]);
    expect(t.feed.cursor).toBe("120");
  });

  it("are where a push that died goes on", async () => {
    const fetched: (string | null)[] = [];
    async function* documents(from: string | null) {
      fetched.push(from);
      for (let n = Number(from ?? 0) + 1; n <= 200; n++) {
        if (fetched.length === 1 && n === 130) throw new Error("died");
        yield { id: `d-${n}` };
        yield { checkpoint: String(n) };
      }
    }
    await expect(t.push({ documents })).rejects.toThrow("died");
    expect(t.feed.cursor).toBe("100");
    expect(await t.push({ documents })).toMatchObject({ created: 100, documentsSkipped: 0, cursor: "200" });
    expect(fetched).toEqual([null, "100"]);
  });
});

describe("somebody else moves the cursor meanwhile", () => {
  /** All documents after a position; there are more each time it is asked. */
  const upstream = () => {
    const asked: (string | null)[] = [];
    let high = 60;
    return {
      asked,
      documents: (from: string | null) => {
        asked.push(from);
        high += 10;
        return numbered(Number(from ?? 0) + 1, high);
      },
      cursor: () => String(high),
    };
  };
  const overtakeOnce = (to: string) => {
    t.feed.rival = (call, rivalled) => {
      if (call.cursor === undefined) return;
      rivalled.cursor = to;
      t.feed.rival = null;
    };
  };

  it("and the push goes on from the newer one", async () => {
    const source = upstream();
    overtakeOnce("75");
    const summary = await t.push(source);
    expect(source.asked).toEqual([null, "75"]);
    expect(summary).toMatchObject({ cursor: "80", cursorOutcome: "advanced", conflict: false, restarts: 1 });
    expect(summary.warnings).toEqual([{ code: "cursor_conflict", message: "someone else synced meanwhile" }]);
    expect(t.calls()).toEqual([
      [50, undefined, undefined],
      [20, "70", null],
      [5, "80", "75"],
    ]);
  });

  it("behind ours is no reason to fetch again", async () => {
    const source = upstream();
    overtakeOnce("65");
    expect(await t.push(source)).toMatchObject({
      cursor: "70",
      cursorOutcome: "advanced",
      conflict: true,
      restarts: 0,
    });
  });

  it("back, by a reset: the push starts from there too", async () => {
    t.feed.cursor = "50";
    const source = upstream();
    t.feed.rival = (_, rivalled) => {
      rivalled.cursor = null;
      t.feed.rival = null;
    };
    expect(await t.push(source)).toMatchObject({ cursor: "80", restarts: 1 });
    expect(source.asked).toEqual(["50", null]);
  });

  it("and a plain list is delivered to its end, without cursors", async () => {
    function* walk() {
      for (const document of numbered(1, 120)) yield document.id === "d-41" ? { checkpoint: "40" } : document;
    }
    overtakeOnce("1000");
    expect(await t.push({ documents: walk(), cursor: "120", cursorBefore: null })).toMatchObject({
      created: 119,
      cursor: "1000",
      cursorOutcome: "kept",
      conflict: true,
    });
    expect(t.calls()).toEqual([
      [50, "40", null],
      [50, undefined, undefined],
      [19, undefined, undefined],
    ]);
  });

  it("again and again, and the push ends all the same", async () => {
    let high = 1000;
    t.feed.rival = (_, rivalled) => {
      high += 1000;
      rivalled.cursor = String(high);
    };
    const summary = await t.push({ documents: () => numbered(1, 3), cursor: "3" });
    expect(summary).toMatchObject({ restarts: 5, conflict: true, cursorOutcome: "kept", created: 3 });
  });

  it("is not asked about when the caller says what it read", async () => {
    const source = upstream();
    await t.push({ ...source, cursorBefore: { high: "5" } });
    expect(source.asked).toEqual(['{"high":"5"}']);
    expect(t.server.requests.map(({ method }) => method)).toEqual(["POST"]);
  });
});
