import { describe, expect, it } from "vitest";
import type { ConsumerRow } from "@/app/(dashboard)/_lib/types";
import {
  behindFor,
  behindInWords,
  consumerState,
  filterInWords,
  horizonInWords,
  nameSome,
} from "./consumer-words";

const NOW = Date.parse("2026-06-14T09:00:00Z");
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const at = (ms: number) => new Date(NOW + ms).toISOString();
const consumer = (more: Partial<ConsumerRow> = {}): ConsumerRow => ({
  name: "mirror",
  position: "40",
  lag: "2",
  behind: 2,
  behindSince: at(-HOUR),
  distanceToHorizon: "40",
  expiresAt: null,
  expiredBy: null,
  isFirstWalk: false,
  sourceId: null,
  feedId: null,
  sourceName: null,
  feedName: null,
  by: { type: "token", name: "laptop" },
  seenAt: at(0),
  createdAt: at(-DAY),
  ...more,
});

describe("a consumer", () => {
  it("is warned about in the last quarter of the retention, and not before", () => {
    expect(consumerState(consumer({ expiresAt: at(8 * DAY) }), NOW, 30)).toBe("following");
    expect(consumerState(consumer({ expiresAt: at(7 * DAY) }), NOW, 30)).toBe("expiring");
    expect(consumerState(consumer({ expiresAt: at(-1) }), NOW, 30)).toBe("expiring");
    expect(consumerState(consumer({ expiresAt: at(20 * HOUR) }), NOW, 1)).toBe("following");
    expect(consumerState(consumer({ expiredBy: "epoch" }), NOW, 30)).toBe("restart");
    expect(consumerState(consumer({ isFirstWalk: true }), NOW, 30)).toBe("first_walk");
  });

  it("is told how far behind it is and how long it has", () => {
    expect(behindInWords(consumer())).toBe("2");
    expect(behindInWords(consumer({ behind: 0 }))).toBe("none");
    expect(behindInWords(consumer({ behind: 500 }))).toBe("500 or more");
    expect(behindFor(consumer({ behindSince: at(-HOUR - 300_000) }), NOW)).toBe("1 h 5 min");
    expect(behindFor(consumer({ behindSince: at(4_000) }), NOW), "the page's clock is behind").toBe(
      "under 1 s",
    );
    expect(behindFor(consumer({ behindSince: null }), NOW)).toBeNull();
    expect(horizonInWords(consumer(), NOW)).toBe("nothing to miss");
    expect(horizonInWords(consumer({ expiresAt: at(29.5 * DAY) }), NOW)).toBe("29 days left");
    expect(horizonInWords(consumer({ expiresAt: at(26 * HOUR) }), NOW)).toBe("1 d 2 h left");
    expect(horizonInWords(consumer({ expiresAt: at(-1) }), NOW)).toBe("any moment");
    expect(horizonInWords(consumer({ expiredBy: "horizon" }), NOW)).toBe("passed");
  });

  it("is named with what it follows", () => {
    expect(filterInWords(consumer())).toBe("Everything");
    expect(filterInWords(consumer({ feedId: "feed_a", feedName: "Tides", sourceId: "src_a" }))).toBe("Tides");
    expect(filterInWords(consumer({ sourceId: "src_a" }))).toBe("A deleted source");
    expect(nameSome(["a"])).toBe("a");
    expect(nameSome(["a", "b"])).toBe("a and b");
    expect(nameSome(["a", "b", "c", "d", "e"])).toBe("a, b, c and 2 more");
  });
});
