import { describe, expect, it } from "vitest";
import { queryInt } from "./query";

function complaint(text: string): string | undefined {
  return queryInt(1, 1000).safeParse(text).error?.issues[0]?.code;
}

describe("a number in a query", () => {
  it("is told the bound it broke, also below zero and far above", () => {
    expect(["0", "-1", "-20"].map(complaint)).toEqual(["too_small", "too_small", "too_small"]);
    expect(["1001", "99999999999"].map(complaint)).toEqual(["too_big", "too_big"]);
  });

  it("is refused in any other spelling", () => {
    for (const text of ["", " 10", "+10", "-0", "1e2", "1.5", "0x10", "9".repeat(20), "１"]) {
      expect(complaint(text), text).toBe("invalid_format");
    }
    expect(queryInt(0, 55).parse("0055")).toBe(55);
  });
});
