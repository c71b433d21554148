import { describe, expect, it } from "vitest";
import type { GuardedResponse } from "@/sdk/adapter";
import { throwForStatus } from "./http-status";
import { parseResetHeader, parseRetryAfter } from "./retry-after";

const now = new Date("2026-03-01T12:00:00Z");
const at = (seconds: number) => new Date(now.getTime() + seconds * 1000);
const DAY = 24 * 3600;

describe("F40: Retry-After", () => {
  it.each([
    ["120", at(120)],
    [" 7 ", at(7)],
    ["0", now],
    ["Sun, 01 Mar 2026 12:01:30 GMT", at(90)],
    ["Sunday, 01-Mar-26 12:01:30 GMT", at(90)],
    ["Sun Mar  1 12:01:30 2026", at(90)],
    ["Sun, 01 Mar 2026 11:00:00 GMT", now],
    ["Mon, 01 Mar 2027 12:00:00 GMT", at(DAY)],
    ["99999999999999999999", at(DAY)],
    ["120junk", null],
    ["-5", null],
    ["1.5", null],
    ["soon", null],
    ["", null],
    [undefined, null],
  ])("%j", (value, expected) => {
    expect(parseRetryAfter(value, now)).toEqual(expected);
  });

  it("reads a reset header of epoch seconds", () => {
    expect(parseResetHeader(String(at(60).getTime() / 1000), now)).toEqual(at(60));
    expect(parseResetHeader("60", now)).toBeNull();
  });
});

describe("throwForStatus", () => {
  const answer = (status: number, headers: Record<string, string> = {}): GuardedResponse => ({
    status,
    headers,
    body: new TextEncoder().encode("see https://x.example/?token=abcdef"),
    url: "https://feeds.example/a",
    movedPermanently: false,
  });
  const thrown = (response: GuardedResponse) => {
    try {
      throwForStatus(response, now);
    } catch (error) {
      return error;
    }
  };

  it.each([
    [429, { "retry-after": "90" }, "rate_limited", at(90)],
    [429, { "retry-after": "120junk" }, "rate_limited", undefined],
    [429, { "x-rate-limit-reset": String(at(30).getTime() / 1000) }, "rate_limited", at(30)],
    [503, { "retry-after": "0" }, "rate_limited", now],
    [503, { "retry-after": "120junk" }, "unavailable", undefined],
    [503, {}, "unavailable", undefined],
    [500, { "retry-after": "90" }, "unavailable", undefined],
    [401, {}, "unauthorized", undefined],
    [403, {}, "forbidden", undefined],
    [404, {}, "not_found", undefined],
    [410, {}, "gone", undefined],
    [418, {}, "protocol", undefined],
    [304, {}, "protocol", undefined],
  ])("%d %j is %s", (status, headers: Record<string, string>, code, retryAt) => {
    const error = thrown(answer(status, headers));

    expect(error).toMatchObject({ code, info: { status, detail: "see https://x.example/?token=***" } });
    expect((error as { info: { retryAt?: Date } }).info.retryAt).toEqual(retryAt);
  });

  it("returns for 2xx and names a bot wall", () => {
    expect(thrown(answer(200))).toBeUndefined();
    expect(thrown(answer(403, { "cf-mitigated": "challenge" }))).toMatchObject({
      message: expect.stringContaining("challenge"),
    });
  });
});
