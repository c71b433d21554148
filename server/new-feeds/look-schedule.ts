/** When new feeds are looked for next. Pure: time and chance are arguments. */

const HOUR_MS = 3_600_000;
/** Sites open a new feed a few times a year; a day is soon enough and asks little. */
const INTERVAL_MS = 24 * HOUR_MS;
/** Spreads sources that were connected together; only ever later. */
const SPREAD = 0.1;
const BACKOFF_FIRST_MS = HOUR_MS;
const BACKOFF_MAX_MS = 7 * 24 * HOUR_MS;

export function nextLook(now: Date, random: () => number): Date {
  return new Date(now.getTime() + INTERVAL_MS * (1 + SPREAD * random()));
}

/**
 * After a look that failed: an hour, doubled with each failure, at most a week; half of it is left to
 * chance, so that what failed together does not come back together.
 *
 * @param failures in a row, this one included.
 * @param notBefore what the upstream asked for, if it did.
 */
export function retryLook(now: Date, failures: number, notBefore: Date | null, random: () => number): Date {
  const ceiling = Math.min(BACKOFF_FIRST_MS * 2 ** Math.min(failures - 1, 20), BACKOFF_MAX_MS);
  const at = now.getTime() + ceiling * (0.5 + 0.5 * random());
  return new Date(Math.max(at, notBefore?.getTime() ?? 0));
}
