import { expect, it } from "vitest";
import { readRetryAfter } from "./retry-after.ts";

const NOON = "Sun, 14 Jun 2026 12:00:00 GMT";
const noonMs = Date.parse(NOON);

it.each([
  ["7", 7000],
  [" 0 ", 0],
  ["99999999999", 3_600_000],
  ["Sun, 14 Jun 2026 12:01:30 GMT", 90_000],
  ["Sun, 14 Jun 2026 11:00:00 GMT", 0],
  ["Mon, 14 Jun 2027 12:00:00 GMT", 3_600_000],
  ["120junk", null],
  ["-5", null],
  ["1.5", null],
  ["2026-06-14", null],
  ["", null],
  [null, null],
])("%j means %j ms", (value, ms) => {
  expect(readRetryAfter(value, NOON, noonMs + 999_999)).toBe(ms);
  expect(readRetryAfter(value, null, noonMs)).toBe(ms);
});
