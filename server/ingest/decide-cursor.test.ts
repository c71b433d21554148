import { describe, expect, it } from "vitest";
import { AppError } from "@/server/errors";
import { compareIds, inferWatermark, parsePosition, serializeCursor, toAdapterCursor } from "./cursor";
import { decideCursor } from "./decide-cursor";

const NOW = new Date("2026-06-14T12:00:00Z");
const absent = Symbol("absent");

function decide(
  watermark: "date" | "idSet" | "token" | "none" | null,
  stored: string | null,
  cursor: unknown,
  before: unknown = absent,
) {
  return decideCursor(
    { watermark, cursor: stored },
    { cursor, cursorBefore: before === absent ? undefined : before, limit: NOW },
  );
}

describe("the compare-and-swap", () => {
  it.each([
    // watermark, S, C, B, outcome, conflict, final
    ["idSet", "5", undefined, absent, "unchanged", false, "5"],
    ["idSet", "5", null, "4", "unchanged", true, "5"],
    ["idSet", "5", "5", "4", "unchanged", false, "5"],
    ["idSet", "5", "05", absent, "unchanged", false, "5"],
    ["idSet", null, "5", null, "advanced", false, "5"],
    ["idSet", null, "5", "4", "kept", true, null],
    ["idSet", "5", "9", "5", "advanced", false, "9"],
    ["idSet", "5", "9", "4", "advanced", true, "9"],
    ["idSet", "5", "9", null, "advanced", true, "9"],
    ["idSet", "5", "9", "7", "kept", true, "5"],
    ["idSet", "5", "4", "5", "kept", false, "5"],
    ["idSet", "9", "10", absent, "advanced", false, "10"],
    [
      "date",
      "2026-06-14T09:00:00Z",
      "2026-06-14T11:00:00+02:00",
      absent,
      "unchanged",
      false,
      "2026-06-14T09:00:00Z",
    ],
    [
      "date",
      "2026-06-14T09:00:00Z",
      "2026-06-14T10:30:00+02:00",
      absent,
      "kept",
      false,
      "2026-06-14T09:00:00Z",
    ],
    [
      "date",
      "2026-06-14T09:00:00Z",
      "2026-06-14T09:00:00.0000001Z",
      absent,
      "advanced",
      false,
      "2026-06-14T09:00:00.0000001Z",
    ],
    ["token", null, "x", absent, "advanced", false, "x"],
    ["token", null, "x", null, "advanced", false, "x"],
    ["token", null, "x", "y", "kept", true, null],
    ["token", "x", "y", "x", "advanced", false, "y"],
    ["token", "x", "y", absent, "kept", false, "x"],
    ["token", "x", "y", "z", "kept", true, "x"],
    ["token", "x", "x", "z", "unchanged", false, "x"],
    ["token", "", "0", "", "advanced", false, "0"],
  ] as const)(
    "%s: stored %j, sent %j, read %j → %s, conflict %j",
    (watermark, s, c, b, outcome, conflict, cursor) => {
      expect(decide(watermark, s, c, b)).toMatchObject({ outcome, conflict, cursor });
    },
  );

  it("clamps a date from the future before anything else is decided", () => {
    expect(decide("date", "2026-06-14T11:00:00Z", "2031-01-01T00:00:00Z")).toMatchObject({
      outcome: "advanced",
      clamped: true,
      cursor: "2026-06-14T12:00:00.000Z",
    });
    expect(decide("date", "2026-06-14T12:00:00Z", "2031-01-01T00:00:00Z")).toMatchObject({
      outcome: "unchanged",
      clamped: true,
    });
  });

  it("merges the recent ids of equal high marks, the newcomer's first, 500 kept, without a move", () => {
    const stored = JSON.stringify({ high: "7", recent: ["a", "b"] });
    const merged = decide("idSet", stored, { high: "7", recent: ["c", "a"] });
    expect(merged).toMatchObject({
      outcome: "unchanged",
      cursor: JSON.stringify({ high: "7", recent: ["c", "a", "b"] }),
    });
    expect(decide("idSet", stored, "7")).toMatchObject({ cursor: stored });
    const many = (from: number) => Array.from({ length: 500 }, (_, i) => String(from + i));
    const full = decide("idSet", JSON.stringify({ high: "7", recent: many(0) }), {
      high: "7",
      recent: many(1000),
    });
    expect(JSON.parse(full.cursor ?? "").recent).toEqual(many(1000));
  });

  it("never merges into more than it can read again", () => {
    // 250 ids of some 200 bytes are accepted; two such lists together are over the limit.
    const long = (prefix: string) => Array.from({ length: 250 }, (_, i) => `${prefix}${i}`.padEnd(100, "é"));
    const stored = JSON.stringify({ high: "7", recent: long("a") });
    const newer = long("b");
    const { cursor } = decide("idSet", stored, { high: "7", recent: newer });
    expect(decide("idSet", cursor, undefined)).toMatchObject({ outcome: "unchanged", cursor });
    const { recent } = JSON.parse(cursor ?? "") as { recent: string[] };
    expect(recent.slice(0, 250)).toEqual(newer);
    expect(recent.length).toBeGreaterThan(300);
  });

  it("infers a feed's watermark from its first cursor, and fixes it", () => {
    expect(decide(null, null, "2026-06-14T09:00:00Z").watermark).toBe("date");
    expect(decide(null, null, "0").watermark).toBe("idSet");
    expect(decide(null, null, { high: "x" }).watermark).toBe("idSet");
    expect(decide(null, null, "").watermark).toBe("token");
    expect(decide(null, null, undefined).watermark).toBeNull();
    expect(inferWatermark('{"next":1}')).toBe("token");
  });
});

describe("a cursor that cannot be one", () => {
  it.each([
    ["date", "yesterday"],
    ["date", "2026-06-14T09:00:00"],
    ["date", "2026-02-30T09:00:00Z"],
    ["date", "0000-01-01T00:00:00Z"],
    ["date", { high: "1" }],
    ["idSet", "{not json"],
    ["idSet", { high: 5 }],
    ["idSet", { high: "5", recent: Array.from({ length: 501 }, String) }],
    ["token", "t".repeat(8193)],
    ["token", "a\0b"],
    ["token", "\ud800"],
    ["none", "5"],
    ["token", 5],
    [null, true],
    [null, ["5"]],
  ] as const)("is refused whole (%s, %j)", (watermark, cursor) => {
    expect(() => parsePosition(cursor, watermark)).toThrow(AppError);
    expect(() => decide(watermark, null, undefined, cursor)).toThrow(
      expect.objectContaining({ code: "cursor_invalid" }),
    );
  });

  it("is never null: null means that there is none", () => {
    expect(parsePosition(null, "none")).toBeNull();
  });
});

describe("ids", () => {
  it("are ordered by value for decimals of any size, whatever their leading zeros", () => {
    const ids = ["10", "9", "723389637071249411", "723389637071249410", "007", "0", ""];
    expect(ids.sort(compareIds)).toEqual([
      "",
      "0",
      "007",
      "9",
      "10",
      "723389637071249410",
      "723389637071249411",
    ]);
  });
});

describe("what an adapter sees of a cursor", () => {
  it.each([
    ["date", "2026-06-14T09:00:00Z", { type: "date", value: "2026-06-14T09:00:00Z" }],
    ["idSet", "42", { type: "idSet", high: "42", recent: [] }],
    ["idSet", '{"high":"42","recent":["a"]}', { type: "idSet", high: "42", recent: ["a"] }],
    ["token", "2026", { type: "token", value: "2026" }],
    ["none", null, { type: "none" }],
  ] as const)("%s %j", (watermark, stored, seen) => {
    expect(toAdapterCursor(watermark, stored)).toEqual(seen);
    expect(serializeCursor(toAdapterCursor(watermark, stored))).toBe(stored);
  });
});
