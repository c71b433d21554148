import { describe, expect, it } from "vitest";
import { describeRelative, formatDuration, formatExact, formatUtc } from "@/components/time-words";

const NOW = Date.parse("2026-06-14T09:00:00Z");
const saidAfter = (seconds: number) => describeRelative(new Date(NOW + seconds * 1000), NOW);

describe("describeRelative", () => {
  it("says near times in words and far ones as a date", () => {
    expect(saidAfter(-3)).toBe("just now");
    expect(saidAfter(3)).toBe("now");
    expect(saidAfter(-45)).toBe("45 seconds ago");
    expect(saidAfter(-59 * 60)).toBe("59 minutes ago");
    expect(saidAfter(3 * 3600)).toBe("in 3 hours");
    expect(saidAfter(-86_400)).toBe("yesterday");
    expect(saidAfter(-70 * 86_400)).toBe("5 Apr 2026");
  });
});

describe("formatUtc", () => {
  it("names the zone, and seconds only where there are some", () => {
    expect(formatUtc(new Date("2026-06-14T09:00:00Z"))).toBe("14 June 2026, 09:00 UTC");
    expect(formatUtc(new Date("2026-06-14T09:00:07Z"))).toBe("14 June 2026, 09:00:07 UTC");
  });
});

describe("formatExact", () => {
  it("says a time in the viewer's zone", () => {
    expect(formatExact(new Date("2026-06-14T09:00:00Z"))).toBe("14 June 2026, 14:45:00 GMT+5:45");
    expect(formatExact(new Date("2026-06-14T09:00:00Z"), "UTC")).toBe("14 June 2026, 09:00:00 UTC");
  });
});

describe("formatDuration", () => {
  it("rounds to what people compare", () => {
    expect([840, 3210, 59_400, 250_000, 7_500_000, 90_000_000].map(formatDuration)).toEqual([
      "840 ms",
      "3.2 s",
      "59 s",
      "4 min 10 s",
      "2 h 5 min",
      "1 d 1 h",
    ]);
  });
});
