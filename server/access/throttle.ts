import type { Db, Tx } from "@/server/db";
import { AppError } from "@/server/errors";
import { sha256 } from "@/server/ids";

/** One counter of failures and how patient it is. */
type Counter = { key: string; freeFailures: number; capSeconds: number };

/** What an attempt counts against. Addresses come first: one order for all, so no deadlock. */
export type Counters = readonly Counter[];

/** The wait after the first failure that is not free; it doubles with each further one. */
const FIRST_WAIT_SECONDS = 5;
/** A quiet day makes a clean slate. */
const FORGET_HOURS = 24;

/**
 * Per address and per account: one address trying many accounts, and many addresses trying one. An
 * address may stand for a whole office, hence its patience; an account's cap is short, since anybody
 * can keep an account blocked by failing on purpose.
 */
export function signInCounters(email: string, address: string): Counters {
  return [addressCounter(address), accountCounter(email)];
}

/** Set-up code: the code itself counts like an account. */
export function setupCounters(address: string): Counters {
  return [addressCounter(address), { key: "account:setup-code", freeFailures: 10, capSeconds: 60 }];
}

function addressCounter(address: string): Counter {
  return { key: `address:${address}`, freeFailures: 20, capSeconds: 60 * 60 };
}

function accountCounter(email: string): Counter {
  return { key: `account:${sha256(email).toString("hex")}`, freeFailures: 5, capSeconds: 15 * 60 };
}

/**
 * Books an attempt as failed before it is made, so that any number of parallel ones count; a success
 * takes it back with `forgiveAttempt`.
 *
 * @throws AppError rate_limited, with the wait in words and as `retryAfterSeconds`. Nothing was booked.
 */
export async function bookAttempt(db: Db, counters: Counters): Promise<void> {
  await db.$transaction(async (tx) => {
    for (const counter of counters) {
      if (!(await bookFailure(tx, counter))) throw tooMany(await readWaitSeconds(tx, counter.key));
    }
  });
}

/** Takes back the attempt that was booked, because it succeeded, and clears the account's failures. */
export async function forgiveAttempt(db: Db, counters: Counters): Promise<void> {
  await db.$transaction(async (tx) => {
    for (const { key, freeFailures } of counters) {
      if (key.startsWith("account:")) {
        await tx.$executeRaw`DELETE FROM sign_in_throttles WHERE key = ${key}`;
        continue;
      }
      // Only this attempt is taken back: an attacker with an account of their own must not wash
      // their address clean by signing in now and then.
      await tx.$executeRaw`
        UPDATE sign_in_throttles
           SET failures = failures - 1,
               blocked_until = CASE WHEN failures - 1 < ${freeFailures}::int THEN clock_timestamp()
                                    ELSE blocked_until END
         WHERE key = ${key} AND failures > 0`;
    }
    // Rows that someone is booking on right now stay: waiting for them could end in a deadlock.
    await tx.$executeRaw`
      DELETE FROM sign_in_throttles
       WHERE key IN (SELECT key FROM sign_in_throttles
                      WHERE updated_at < now() - make_interval(hours => ${2 * FORGET_HOURS}::int)
                        AND blocked_until < now()
                        FOR UPDATE SKIP LOCKED)`;
  });
}

/** @returns false while the counter is blocked. */
async function bookFailure(tx: Tx, { key, freeFailures, capSeconds }: Counter): Promise<boolean> {
  // One statement, so that a rival waits for the row and then sees our failure. clock_timestamp and
  // not now(): the rival's transaction may have begun before ours.
  const rows = await tx.$queryRaw<{ failures: number }[]>`
    INSERT INTO sign_in_throttles AS t (key, failures, blocked_until, updated_at)
    VALUES (${key}, 1, clock_timestamp(), clock_timestamp())
    ON CONFLICT (key) DO UPDATE
       SET (failures, blocked_until, updated_at) = (
         SELECT n.failures,
                clock_timestamp() + CASE WHEN n.failures < ${freeFailures}::int THEN interval '0'
                  ELSE make_interval(secs => least(${capSeconds}::int,
                         ${FIRST_WAIT_SECONDS}::int * power(2, least(n.failures - ${freeFailures}::int, 20)))) END,
                clock_timestamp()
           FROM (SELECT CASE WHEN t.updated_at < clock_timestamp() - make_interval(hours => ${FORGET_HOURS}::int)
                             THEN 1 ELSE t.failures + 1 END AS failures) AS n)
     WHERE t.blocked_until <= clock_timestamp()
    RETURNING failures`;
  return rows.length === 1;
}

async function readWaitSeconds(tx: Tx, key: string): Promise<number> {
  const [row] = await tx.$queryRaw<{ seconds: number }[]>`
    SELECT greatest(1, ceil(extract(epoch FROM blocked_until - clock_timestamp())))::int AS seconds
      FROM sign_in_throttles WHERE key = ${key}`;
  return row?.seconds ?? 1;
}

function tooMany(seconds: number): AppError {
  return new AppError("rate_limited", `Too many attempts. Try again in ${describeWait(seconds)}.`, {
    retryAfterSeconds: seconds,
  });
}

export function describeWait(seconds: number): string {
  if (seconds < 90) return seconds === 1 ? "1 second" : `${seconds} seconds`;
  return `${Math.ceil(seconds / 60)} minutes`;
}
