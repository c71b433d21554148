import { describe, expect, it } from "vitest";
import { DURATION_STEPS, roundTicks } from "./ticks";

describe("roundTicks", () => {
  it("divides evenly at round values, up to at least the greatest", () => {
    expect(roundTicks(1_974)).toEqual([0, 500, 1000, 1500, 2000]);
    expect(roundTicks(53)).toEqual([0, 20, 40, 60]);
    expect(roundTicks(80)).toEqual([0, 20, 40, 60, 80]);
  });

  it("counts in whole things, however few", () => {
    expect(roundTicks(0)).toEqual([0, 1]);
    expect(roundTicks(1)).toEqual([0, 1]);
    expect(roundTicks(3)).toEqual([0, 1, 2, 3]);
  });

  it("divides durations as clocks do", () => {
    expect(roundTicks(14_000, DURATION_STEPS)).toEqual([0, 5_000, 10_000, 15_000]);
    expect(roundTicks(100_000, DURATION_STEPS)).toEqual([0, 30_000, 60_000, 90_000, 120_000]);
    expect(roundTicks(320, DURATION_STEPS)).toEqual([0, 100, 200, 300, 400]);
  });
});
