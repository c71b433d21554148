import { describe, expect, it } from "vitest";
import { backoffSeconds, nextRegularSync, nextRetry } from "./next-sync";

const NOW = new Date("2026-06-14T09:00:00Z"); // a Sunday
const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** One document every `gapSeconds`, the newest one gap ago. */
const every = (gapSeconds: number, count = 20) =>
  Array.from({ length: count }, (_, i) => new Date(NOW.getTime() - (i + 1) * gapSeconds * 1000));
type Input = Partial<Parameters<typeof nextRegularSync>[0]>;
const regular = (input: Input) =>
  nextRegularSync({
    now: NOW,
    intervalSeconds: null,
    hints: null,
    publishedAt: [],
    random: () => 0,
    ...input,
  });
const secondsAhead = (at: Date) => (at.getTime() - NOW.getTime()) / 1000;

describe("the next sync after one that went well", () => {
  it.each<[string, Input, number]>([
    ["a fixed interval, exactly", { intervalSeconds: 600, random: () => 0.9 }, 600],
    [
      "a fixed interval whatever the upstream hints",
      { intervalSeconds: 600, hints: { minIntervalSeconds: DAY } },
      600,
    ],
    ["an hour while the rhythm is unknown", {}, HOUR],
    ["an hour for two documents, which are no rhythm", { publishedAt: every(DAY, 2) }, HOUR],
    ["half the usual gap", { publishedAt: every(4 * HOUR) }, 2 * HOUR],
    ["never under five minutes", { publishedAt: every(10) }, 5 * MINUTE],
    ["never over a day", { publishedAt: every(30 * DAY) }, DAY],
    [
      "what the upstream asks for when that is longer",
      { publishedAt: every(10), hints: { minIntervalSeconds: 3 * HOUR } },
      3 * HOUR,
    ],
    ["at most a day even when the upstream asks for more", { hints: { minIntervalSeconds: 90 * DAY } }, DAY],
    ["its own interval when the upstream would allow less", { hints: { minIntervalSeconds: 10 } }, HOUR],
    ["up to a tenth later, to spread feeds", { random: () => 1 }, 1.1 * HOUR],
  ])("is %s", (_, input, seconds) => {
    expect(secondsAhead(regular(input).at)).toBeCloseTo(seconds, 3);
  });

  it("slows down for a feed that went quiet", () => {
    const busyThenQuiet = every(60).map((date) => new Date(date.getTime() - 10 * DAY * 1000));
    expect(secondsAhead(regular({ publishedAt: busyThenQuiet }).at)).toBeGreaterThan(5 * HOUR);
  });

  it("takes future-dated documents for new ones instead of waiting for ever", () => {
    const future = [new Date("2031-01-01T00:00:00Z"), ...every(HOUR, 3)];
    expect(secondsAhead(regular({ publishedAt: future }).at)).toBeLessThan(HOUR);
  });

  it.each([
    ["an hour that is closed", { skipHoursUtc: [10, 11] }, "2026-06-14T12:00:00.000Z"],
    ["a day that is closed", { skipDaysUtc: [0] }, "2026-06-15T00:00:00.000Z"],
    [
      "a weekend and an early morning",
      { skipDaysUtc: [0, 6], skipHoursUtc: [0, 1, 2] },
      "2026-06-15T03:00:00.000Z",
    ],
  ])("waits out %s, in UTC", (_, hints, at) => {
    const next = regular({ hints });
    expect(next.at.toISOString()).toBe(at);
    expect(next.reason).toContain("left alone");
  });

  it("ignores hints that close every hour", () => {
    const hints = { skipHoursUtc: Array.from({ length: 24 }, (_, i) => i) };
    expect(secondsAhead(regular({ hints }).at)).toBe(HOUR);
  });

  it.each([
    [{ intervalSeconds: 1800 }, "Every 30 minutes, as set."],
    [{}, "About every 60 minutes until its rhythm is known."],
    [{ publishedAt: every(4 * HOUR) }, "About every 2 hours: new documents come every 4 hours or so."],
    [
      { hints: { minIntervalSeconds: 6 * HOUR } },
      "About every 6 hours: the feed asks not to be read more often.",
    ],
  ])("says why in a sentence", (input, sentence) => {
    expect(regular(input).reason).toBe(sentence);
  });
});

describe("the next attempt after a failure", () => {
  it.each([
    [1, 60],
    [2, 120],
    [5, 16 * MINUTE],
    [11, 1024 * MINUTE],
    [12, DAY],
    [30, DAY],
    [100_000, DAY],
  ])("after %i in a row waits at most %i seconds", (failures, ceiling) => {
    expect(backoffSeconds(failures, () => 1)).toBe(ceiling);
    expect(backoffSeconds(failures, () => 0.5)).toBe(ceiling / 2);
  });

  it("draws from the whole range below the ceiling but never hammers", () => {
    expect(backoffSeconds(10, () => 0.001)).toBeLessThan(60);
    expect(backoffSeconds(1, () => 0)).toBe(5);
  });

  it("says how often it failed and how long it waits", () => {
    expect(nextRetry({ now: NOW, failures: 3, random: () => 1 }).reason).toBe(
      "The last 3 syncs failed; trying again after 4 minutes.",
    );
    expect(nextRetry({ now: NOW, failures: 1, random: () => 1 }).reason).toBe(
      "The last sync failed; trying again after 60 seconds.",
    );
  });
});
