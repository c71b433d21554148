import { describe, expect, it } from "vitest";
import { type BulkAct, type BulkResult, CHUNK, runBulk } from "./bulk-job";

const items = Array.from({ length: CHUNK * 2 + 3 }, (_, index) => ({
  id: `f${index}`,
  name: `Feed ${index}`,
}));

function pausing(run: (ids: string[]) => BulkResult["results"], undo?: BulkAct["undo"]): BulkAct {
  return {
    doing: "Pausing",
    done: "Paused",
    noun: "feed",
    items,
    undo,
    run: async (ids) => ({ results: run(ids), succeeded: 0, changed: 0, failed: 0 }),
  };
}
const ok = (id: string, changed = true, before = "active") =>
  ({ id, ok: true, changed, before, runId: null }) as const;

describe("runBulk", () => {
  it("tells of every part, and which things changed and failed by name", async () => {
    const tried: number[] = [];
    let last: { changed: unknown[]; failures: unknown[] } = { changed: [], failures: [] };
    const act = pausing((ids) =>
      ids.map((id) =>
        id === "f1" ? { id, ok: false, code: "feed_deleting", message: "It is going." } : ok(id, id !== "f2"),
      ),
    );
    const end = await runBulk(
      act,
      () => false,
      (progress) => {
        tried.push(progress.tried);
        last = progress;
      },
    );
    expect(tried).toEqual([CHUNK, CHUNK * 2, items.length]);
    expect(last.changed).toHaveLength(items.length - 2);
    expect(last.failures).toEqual([{ id: "f1", name: "Feed 1", message: "It is going." }]);
    expect(end.stoppedBy).toBeNull();
  });

  it("stops between parts, and when a part cannot be sent", async () => {
    let parts = 0;
    const counted = pausing((ids) => {
      parts += 1;
      return ids.map((id) => ok(id));
    });
    expect(
      (
        await runBulk(
          counted,
          () => parts === 1,
          () => {},
        )
      ).stoppedBy,
    ).toBe("You stopped it.");
    expect(parts).toBe(1);
    const broken = pausing(() => {
      throw new Error("The database is away.");
    });
    expect(
      (
        await runBulk(
          broken,
          () => false,
          () => {},
        )
      ).stoppedBy,
    ).toBe("The database is away.");
  });

  it("remembers for undoing only what can safely be put back", async () => {
    let changed: { id: string }[] = [];
    const undo = { ...pausing(() => []), isSafe: (before: string | null) => before === "paused" };
    const act = pausing((ids) => ids.map((id) => ok(id, true, id === "f0" ? "disabled" : "paused")), undo);
    await runBulk(
      act,
      () => false,
      (progress) => {
        changed = progress.changed;
      },
    );
    expect(changed.map((item) => item.id)).not.toContain("f0");
    expect(changed).toHaveLength(items.length - 1);
  });
});
