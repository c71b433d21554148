import { describe, expect, it } from "vitest";
import { nextLook, retryLook } from "./look-schedule";

const now = new Date("2026-06-14T09:00:00Z");
const hours = (at: Date) => (at.getTime() - now.getTime()) / 3_600_000;

describe("when new feeds are looked for", () => {
  it("is a day later, or up to a tenth more", () => {
    expect(hours(nextLook(now, () => 0))).toBe(24);
    expect(hours(nextLook(now, () => 1))).toBeCloseTo(26.4);
  });

  it("is later with every failure, from half an hour to a week", () => {
    expect([1, 2, 3, 8, 9, 99].map((failures) => hours(retryLook(now, failures, null, () => 1)))).toEqual([
      1, 2, 4, 128, 168, 168,
    ]);
    expect(hours(retryLook(now, 1, null, () => 0))).toBe(0.5);
  });

  it("is not before the upstream asked to be left alone until", () => {
    const until = new Date("2026-06-14T15:00:00Z");
    expect(retryLook(now, 1, until, () => 1)).toEqual(until);
    expect(hours(retryLook(now, 9, until, () => 1))).toBe(168);
  });
});
