import { describe, expect, it } from "vitest";
import { rssXml } from "./fixtures";
import { parseFeed } from "./parse-feed";
import { mergeHints, readHttpHints } from "./polling-hints";

const now = new Date("2026-03-01T12:00:00Z");
const hintsOf = (channel: string) =>
  parseFeed(new TextEncoder().encode(rssXml([], channel)), undefined, "https://tides.example/").hints;

describe("hints in the feed", () => {
  it.each([
    ["", {}],
    ["<ttl>60</ttl>", { minIntervalSeconds: 3600 }],
    ["<ttl>soon</ttl>", {}],
    ["<ttl>-5</ttl>", {}],
    ["<ttl>999999</ttl>", { minIntervalSeconds: 86400 }],
    ["<sy:updatePeriod>hourly</sy:updatePeriod>", { minIntervalSeconds: 3600 }],
    [
      "<sy:updatePeriod> Hourly </sy:updatePeriod><sy:updateFrequency>4</sy:updateFrequency>",
      { minIntervalSeconds: 900 },
    ],
    ["<sy:updateFrequency>2</sy:updateFrequency>", { minIntervalSeconds: 43200 }],
    ["<sy:updatePeriod>weekly</sy:updatePeriod>", { minIntervalSeconds: 86400 }],
    [
      "<sy:updatePeriod>hourly</sy:updatePeriod><sy:updateFrequency>0</sy:updateFrequency>",
      { minIntervalSeconds: 3600 },
    ],
    ["<ttl>30</ttl><sy:updatePeriod>hourly</sy:updatePeriod>", { minIntervalSeconds: 3600 }],
    [
      "<skipHours><hour>24</hour><hour>3</hour><hour>99</hour><hour>x</hour></skipHours>",
      { skipHoursUtc: [0, 3] },
    ],
    [`<skipHours>${Array.from({ length: 24 }, (_, i) => `<hour>${i}</hour>`).join("")}</skipHours>`, {}],
    ["<skipDays><day>Saturday</day><day>sunday</day><day>Someday</day></skipDays>", { skipDaysUtc: [0, 6] }],
  ])("%s", (channel, hints) => {
    expect(hintsOf(channel)).toEqual(hints);
  });
});

describe("hints in the answer's headers", () => {
  it.each([
    [{}, {}],
    [{ "cache-control": "public, max-age=600" }, { minIntervalSeconds: 600 }],
    [{ "cache-control": "max-age=0", expires: "Sun, 01 Mar 2026 13:00:00 GMT" }, {}],
    [{ "cache-control": "s-maxage=600" }, {}],
    [{ "cache-control": "no-cache", expires: "Sun, 01 Mar 2026 13:00:00 GMT" }, {}],
    [{ expires: "Sun, 01 Mar 2026 13:00:00 GMT" }, { minIntervalSeconds: 3600 }],
    [
      { expires: "Sun, 01 Mar 2026 13:00:00 GMT", date: "Sun, 01 Mar 2026 12:30:00 GMT" },
      { minIntervalSeconds: 1800 },
    ],
    [{ expires: "0" }, {}],
    [{ expires: "Sun, 01 Mar 2020 13:00:00 GMT" }, {}],
  ])("%j", (headers, hints) => {
    expect(readHttpHints(headers as Record<string, string>, now)).toEqual(hints);
  });

  it("are joined with the feed's: the more patient one counts", () => {
    expect(mergeHints({ minIntervalSeconds: 60, skipHoursUtc: [1] }, { minIntervalSeconds: 90 })).toEqual({
      minIntervalSeconds: 90,
      skipHoursUtc: [1],
    });
  });
});
