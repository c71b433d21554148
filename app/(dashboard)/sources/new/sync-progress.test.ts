import { describe, expect, it } from "vitest";
import { firstPerFeed, sumProgress } from "@/app/(dashboard)/sources/new/sync-progress";

const at = (seconds: number) => new Date(1_800_000_000_000 + seconds * 1000).toISOString();
const now = new Date(at(10)).getTime();
const aRun = (feedId: string, more: object = {}) => ({
  feedId,
  status: "succeeded" as const,
  pages: 2,
  created: 40,
  updated: 0,
  skipped: 0,
  deleted: 0,
  rejected: 0,
  queuedAt: at(0),
  startedAt: at(0),
  finishedAt: at(4) as string | null,
  ...more,
});
const running = { status: "running" as const, finishedAt: null };

describe("a first sync", () => {
  it("sums what came and how fast", () => {
    const progress = sumProgress(2, [aRun("a"), aRun("b", running)], now);
    expect(progress).toMatchObject({ done: 1, pages: 4, documents: 80, ms: 10_000, documentsPerSecond: 8 });
  });

  it("says how long it will take only once enough feeds are over", () => {
    const three = [aRun("a"), aRun("b"), aRun("c")];
    expect(sumProgress(9, three.slice(1), now).msLeft).toBeNull();
    expect(sumProgress(9, three, now).msLeft).toBe(20_000);
  });

  it("stops its clock when all are over and counts what failed", () => {
    const progress = sumProgress(2, [aRun("a"), aRun("b", { status: "failed", finishedAt: at(6) })], now);
    expect(progress).toMatchObject({ done: 2, failed: 1, ms: 6000, msLeft: null });
  });

  it("is nothing yet before a run is there", () => {
    expect(sumProgress(1, [], now)).toMatchObject({ done: 0, documents: 0, ms: 0, documentsPerSecond: null });
  });
});

it("looks at the first run of each feed, unless that failed and a later one may have mended it", () => {
  const aRunOf = (feedId: string, id: number, status: string) => ({ feedId, id, status });
  const shown = firstPerFeed([
    aRunOf("a", 5, "succeeded"),
    aRunOf("b", 4, "succeeded"),
    aRunOf("b", 3, "failed"),
    aRunOf("a", 2, "succeeded"),
    aRunOf("c", 1, "failed"),
  ]);
  expect([...shown].map(([feedId, run]) => [feedId, run.id])).toEqual([
    ["a", 2],
    ["b", 4],
    ["c", 1],
  ]);
});
