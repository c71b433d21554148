/** However long a server asks us to wait, an hour later we look again. */
const MAX_WAIT_MS = 3600 * 1000;

/**
 * Reads `Retry-After`: whole seconds or an HTTP-date.
 *
 * @param date The answer's own `Date`, so that a clock that is wrong here does not matter. Browsers hide it.
 * @param maxWaitMs The most to wait, whatever it says; an hour when absent.
 * @returns milliseconds, 0 for a past date; null when absent or unreadable ("120junk").
 */
export function readRetryAfter(
  value: string | null,
  date: string | null,
  nowMs: number,
  maxWaitMs = MAX_WAIT_MS,
): number | null {
  const text = value?.trim() ?? "";
  if (/^\d+$/.test(text)) return Math.min(Number(text) * 1000, maxWaitMs);
  // Every HTTP-date begins with a weekday's name; Date.parse would take much else.
  if (!/^[A-Za-z]{3,9},? /.test(text)) return null;
  const until = Date.parse(text);
  if (Number.isNaN(until)) return null;
  const serverNow = Date.parse(date ?? "");
  const waitMs = until - (Number.isNaN(serverNow) ? nowMs : serverNow);
  return Math.min(Math.max(waitMs, 0), maxWaitMs);
}
