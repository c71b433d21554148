import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { Db } from "@/server/db";
import { env } from "@/server/env";
import { countingDb } from "@/test/counting-db";
import { useDatabase } from "@/test/database";
import type { Principal } from "./principal";
import { enforceRateLimit, rateLimitHeaders } from "./rate-limit";
import { dropFullBuckets, takeBlock } from "./shared-buckets";

const t = useDatabase();
const memory = globalThis as { __tidemarkLots?: Map<string, unknown> };
const usual = env().TIDEMARK_RATE_LIMIT;
let number = 0;

beforeEach(() => {
  env().TIDEMARK_RATE_LIMIT = 20; // a burst of 200, in blocks of 10
});
afterEach(() => {
  env().TIDEMARK_RATE_LIMIT = usual;
  vi.restoreAllMocks();
});

function somebody(): Principal {
  number += 1;
  return { tokenId: `tok_rate${number}`, userId: null } as Principal;
}

/** Sends requests until one is refused. @returns how many were let through, and the refusal. */
async function spend(db: Db, principal: Principal, most = 10_000) {
  for (let passed = 0; passed < most; passed += 1) {
    try {
      await enforceRateLimit(db, principal);
    } catch (refusal) {
      return { passed, refusal };
    }
  }
  return { passed: most, refusal: null };
}

it("lets a burst of ten seconds' worth through, then says how long to wait", async () => {
  const startedAt = performance.now();
  const { passed, refusal } = await spend(t.db, somebody());
  const refilled = ((performance.now() - startedAt) / 1000) * 20;
  expect(passed).toBeGreaterThanOrEqual(200);
  expect(passed).toBeLessThanOrEqual(200 + refilled + 1);
  expect(refusal).toMatchObject({ code: "rate_limited", info: { retryAfterSeconds: 1 } });
});

it("counts parallel requests once each", async () => {
  const principal = somebody();
  const startedAt = performance.now();
  const all = await Promise.allSettled(
    Array.from({ length: 400 }, async () => enforceRateLimit(t.db, principal)),
  );
  const passed = all.filter(({ status }) => status === "fulfilled").length;
  expect(passed).toBeGreaterThanOrEqual(200);
  expect(passed).toBeLessThanOrEqual(201 + ((performance.now() - startedAt) / 1000) * 20);
});

it("fills steadily again, and never beyond full", async () => {
  const key = `tok_fill${Math.random()}`;
  const take = (count: number) => takeBlock(t.db, key, { count, perSecond: 20 });
  expect(await take(200)).toMatchObject({ granted: 200 });
  await t.db
    .$executeRaw`UPDATE rate_buckets SET filled_at = filled_at - interval '1 second' WHERE key = ${key}`;
  const half = await take(200);
  expect(half.granted).toBeGreaterThanOrEqual(20);
  expect(half.granted).toBeLessThan(40);
  await t.db.$executeRaw`UPDATE rate_buckets SET filled_at = filled_at - interval '1 day' WHERE key = ${key}`;
  expect(await take(150)).toMatchObject({ granted: 150, left: 50 });
});

it("bounds the sum of several processes by one bucket", async () => {
  const principal = somebody();
  const startedAt = performance.now();
  let passed = 0;
  for (let process = 0; process < 4; process += 1) {
    memory.__tidemarkLots = new Map(); // what another process knows: nothing
    passed += (await spend(t.db, principal)).passed;
  }
  expect(passed).toBeLessThanOrEqual(200 + ((performance.now() - startedAt) / 1000) * 20 + 1);
});

it("asks the database once a block, and not at all for whoever waits", async () => {
  const counted = countingDb(t.db);
  const principal = somebody();
  await spend(counted.db, principal, 50);
  expect(counted.queries()).toBeLessThanOrEqual(7);
  const before = counted.queries();
  for (let i = 0; i < 10; i += 1)
    await expect(spend(counted.db, principal, 0)).resolves.toMatchObject({ passed: 0 });
  expect(counted.queries()).toBe(before);
});

it("asks nothing of the database while a bucket is known to be empty", async () => {
  const counted = countingDb(t.db);
  const principal = somebody();
  await spend(counted.db, principal);
  vi.spyOn(performance, "now").mockReturnValue(performance.now()); // nothing is refilled
  await spend(counted.db, principal);
  const before = counted.queries();
  for (let i = 0; i < 100; i += 1) expect((await spend(counted.db, principal)).passed).toBe(0);
  expect(counted.queries()).toBe(before);
});

it("forgets permits that were not used in time: their bucket has filled since", async () => {
  const principal = somebody();
  await spend(t.db, principal, 1);
  const counted = countingDb(t.db);
  const now = performance.now();
  vi.spyOn(performance, "now").mockReturnValue(now + 11_000);
  await spend(counted.db, principal, 1);
  expect(counted.queries()).toBeGreaterThan(0);
});

it("counts in this process while the database does not answer", async () => {
  const broken = { $queryRaw: () => Promise.reject(new Error("connect ECONNREFUSED")) } as unknown as Db;
  const { passed, refusal } = await spend(broken, somebody());
  expect(passed).toBe(200);
  expect(refusal).toMatchObject({ code: "rate_limited" });
});

it("counts each token by itself", async () => {
  await spend(t.db, somebody());
  expect((await spend(t.db, somebody(), 10)).refusal).toBeNull();
});

it("says in headers what is left", async () => {
  const principal = somebody();
  await spend(t.db, principal, 60);
  const headers = rateLimitHeaders(principal);
  expect(headers).toMatchObject({ "ratelimit-limit": "200", "ratelimit-policy": "200;w=10" });
  expect(Number(headers["ratelimit-remaining"])).toBeGreaterThanOrEqual(140);
  expect(Number(headers["ratelimit-remaining"])).toBeLessThan(200);
  expect(Number(headers["ratelimit-reset"])).toBeGreaterThanOrEqual(1);
  expect(Number(headers["ratelimit-reset"])).toBeLessThanOrEqual(3);
});

it("drops buckets that are long full", async () => {
  await takeBlock(t.db, "tok_old", { count: 1, perSecond: 20 });
  await t.db
    .$executeRaw`UPDATE rate_buckets SET filled_at = filled_at - interval '2 hours' WHERE key = 'tok_old'`;
  await takeBlock(t.db, "tok_new", { count: 1, perSecond: 20 });
  await dropFullBuckets(t.db);
  const rows = await t.db.rateBucket.findMany({ where: { key: { in: ["tok_old", "tok_new"] } } });
  expect(rows.map(({ key }) => key)).toEqual(["tok_new"]);
});
