import { expect, it } from "vitest";
import { newId } from "@/server/ids";
import { useDatabase } from "@/test/database";
import { bookAttempt, describeWait, forgiveAttempt, signInCounters } from "./throttle";

const t = useDatabase();

/** As if the last failure were that long ago. */
function rewind(key: string, seconds: number) {
  return t.db.$executeRaw`
    UPDATE sign_in_throttles
       SET blocked_until = blocked_until - make_interval(secs => ${seconds}::int),
           updated_at = updated_at - make_interval(secs => ${seconds}::int)
     WHERE key = ${key}`;
}

function aVisitor() {
  const counters = signInCounters(`${newId("usr")}@example.org`, newId("usr"));
  return { counters, accountKey: counters[1]?.key ?? "", addressKey: counters[0]?.key ?? "" };
}

async function book(counters: Parameters<typeof bookAttempt>[1], times: number) {
  for (let i = 0; i < times; i += 1) await bookAttempt(t.db, counters);
}

it("blocks an account after five failures and says how long", async () => {
  const { counters } = aVisitor();
  await book(counters, 5);
  await expect(bookAttempt(t.db, counters)).rejects.toMatchObject({
    code: "rate_limited",
    message: expect.stringMatching(/^Too many attempts\. Try again in [1-5] seconds?\.$/),
    info: { retryAfterSeconds: expect.any(Number) },
  });
});

it("doubles the wait with each further failure, up to a quarter of an hour", async () => {
  const { counters, accountKey } = aVisitor();
  await book(counters, 5);
  const waits: number[] = [];
  for (let i = 0; i < 10; i += 1) {
    const row = await t.db.signInThrottle.findUniqueOrThrow({ where: { key: accountKey } });
    const seconds = Math.round((row.blockedUntil.getTime() - row.updatedAt.getTime()) / 1000);
    waits.push(seconds);
    await rewind(accountKey, seconds);
    await bookAttempt(t.db, counters);
  }
  expect(waits).toEqual([5, 10, 20, 40, 80, 160, 320, 640, 900, 900]);
});

it("counts every one of many parallel attempts", async () => {
  const { counters } = aVisitor();
  const results = await Promise.allSettled(Array.from({ length: 20 }, () => bookAttempt(t.db, counters)));
  expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(5);
  for (const result of results) {
    if (result.status === "rejected") expect(result.reason).toMatchObject({ code: "rate_limited" });
  }
});

it("blocks an address that tries many accounts, and counts nothing against the account then", async () => {
  const { addressKey } = aVisitor();
  const address = addressKey.replace("address:", "");
  for (let i = 0; i < 20; i += 1) {
    await bookAttempt(t.db, signInCounters(`${newId("usr")}@example.org`, address));
  }
  const last = signInCounters(`${newId("usr")}@example.org`, address);
  await expect(bookAttempt(t.db, last)).rejects.toMatchObject({ code: "rate_limited" });
  expect(await t.db.signInThrottle.findUnique({ where: { key: last[1]?.key ?? "" } })).toBeNull();
});

it("clears the account on success, but takes only that attempt back from the address", async () => {
  const { counters, accountKey, addressKey } = aVisitor();
  await book(counters, 4);
  await forgiveAttempt(t.db, counters);
  expect(await t.db.signInThrottle.findUnique({ where: { key: accountKey } })).toBeNull();
  expect(await t.db.signInThrottle.findUnique({ where: { key: addressKey } })).toMatchObject({ failures: 3 });
});

it("starts afresh after a quiet day", async () => {
  const { counters, accountKey } = aVisitor();
  await book(counters, 5);
  await rewind(accountKey, 25 * 60 * 60);
  await bookAttempt(t.db, counters);
  expect(await t.db.signInThrottle.findUnique({ where: { key: accountKey } })).toMatchObject({ failures: 1 });
});

it("stores no e-mail address", async () => {
  const [, account] = signInCounters("mira@example.org", "192.0.2.1");
  expect(account?.key).not.toContain("mira");
});

it("speaks of minutes when it takes longer", () => {
  expect([1, 32, 120, 601].map(describeWait)).toEqual(["1 second", "32 seconds", "2 minutes", "11 minutes"]);
});

it("does not wait for another's attempt while it clears old ones away", async () => {
  const [mine, theirs] = [aVisitor(), aVisitor()];
  await book(mine.counters, 1);
  await book(theirs.counters, 1);
  await rewind(theirs.addressKey, 3 * 86_400);
  await t.db.$transaction(async (tx) => {
    await tx.$executeRaw`SELECT 1 FROM sign_in_throttles WHERE key = ${theirs.addressKey} FOR UPDATE`;
    await forgiveAttempt(t.db, mine.counters); // waiting here could be one half of a deadlock
  });
  await expect(t.db.signInThrottle.count({ where: { key: theirs.addressKey } })).resolves.toBe(1);
  await forgiveAttempt(t.db, mine.counters);
  await expect(t.db.signInThrottle.count({ where: { key: theirs.addressKey } })).resolves.toBe(0);
});
