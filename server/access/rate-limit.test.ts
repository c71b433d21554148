import { expect, it } from "vitest";
import { env } from "@/server/env";
import type { Principal } from "./principal";
import { enforceRateLimit, takeFromBucket } from "./rate-limit";

it("lets a burst of ten seconds' worth through, then the rate", () => {
  const buckets = new Map();
  const take = (now: number) => takeFromBucket(buckets, "a", { perSecond: 5, now });
  for (let i = 0; i < 50; i += 1) expect(take(0)).toBe(0);
  expect(take(0)).toBe(1);
  expect(take(199)).toBe(1);
  expect(take(200)).toBe(0);
  expect(take(200)).toBe(1);
  for (let i = 0; i < 50; i += 1) expect(take(1_000_000)).toBe(0); // refilled, but no more than full
  expect(take(1_000_000)).toBe(1);
});

it("counts each token by itself", () => {
  const buckets = new Map();
  for (let i = 0; i < 10; i += 1) takeFromBucket(buckets, "a", { perSecond: 1, now: 0 });
  expect(takeFromBucket(buckets, "a", { perSecond: 1, now: 0 })).toBe(1);
  expect(takeFromBucket(buckets, "b", { perSecond: 1, now: 0 })).toBe(0);
});

it("forgets full buckets instead of growing for ever", () => {
  const buckets = new Map();
  for (let i = 0; i < 10_050; i += 1) takeFromBucket(buckets, `t${i}`, { perSecond: 1, now: i * 1_000 });
  expect(buckets.size).toBeLessThan(10_001);
});

it("says how many seconds to wait", () => {
  const principal = { tokenId: "tok_rate", userId: null } as Principal;
  const spend = () => {
    for (let i = 0; i < env().TIDEMARK_RATE_LIMIT * 10 + 5_000; i += 1) enforceRateLimit(principal);
  };
  expect(spend).toThrow(expect.objectContaining({ code: "rate_limited", info: { retryAfterSeconds: 1 } }));
});
