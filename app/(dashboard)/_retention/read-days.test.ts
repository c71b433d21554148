import { expect, it } from "vitest";
import { readDays } from "./read-days";

it("takes whole days of a day to ten years, and says what is wrong with anything else", () => {
  expect(readDays(" 7 ")).toEqual({ days: 7, problem: null });
  expect(readDays("3650").days).toBe(3650);
  for (const [text, problem] of [
    ["", "Say for how many"],
    ["soon", "not a number"],
    ["1.5", "Whole days"],
    ["0", "At least 1"],
    ["-3", "At least 1"],
    ["3651", "At most 3650"],
    ["1e9", "At most 3650"],
    ["Infinity", "not a number"],
  ] as const) {
    expect(readDays(text), text).toMatchObject({ days: null, problem: expect.stringContaining(problem) });
  }
});
