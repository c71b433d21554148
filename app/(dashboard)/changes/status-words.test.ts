import { expect, it } from "vitest";
import type { ChangeFeedStatus } from "@/app/(dashboard)/_lib/types";
import { describeStatus } from "./status-words";

const status = (more: Partial<ChangeFeedStatus> = {}): ChangeFeedStatus => ({
  head: "1042",
  safePoint: "1042",
  horizon: "0",
  epoch: "e",
  waiters: 1,
  maxWaiters: 2000,
  retentionDays: 30,
  ...more,
});

it("says why followers are not sent everything: a writer is still open", () => {
  expect(describeStatus(status())).toMatchObject({ isHeldBack: false });
  const held = describeStatus(status({ safePoint: "1000" }));
  expect(held.isHeldBack).toBe(true);
  expect(held.safePoint).toMatch(/^42 behind the head: a writer .* is still open/);
});

it("says what the horizon means for cursors below it", () => {
  expect(describeStatus(status()).horizon).toMatch(/every cursor is good.*30 days/);
  expect(describeStatus(status({ horizon: "7", retentionDays: 1 })).horizon).toMatch(
    /after 1 day\. A cursor below/,
  );
});

it("warns before no more requests may wait", () => {
  expect(describeStatus(status({ waiters: 1799 })).isNearlyFull).toBe(false);
  expect(describeStatus(status({ waiters: 1800 })).waiters).toMatch(/of 2,000 that may/);
});
