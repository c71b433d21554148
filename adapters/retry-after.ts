import { parseDate } from "./parse-date";

/** However far ahead an upstream asks us to wait, a day later we look again. */
const MAX_WAIT_MS = 24 * 3600 * 1000;

/**
 * Reads `Retry-After`: whole seconds or an HTTP-date.
 *
 * @returns The instant to wait for: never before `now` (a past date means now), never more than
 *   24 hours ahead. Null when the header is absent or unreadable ("120junk"): the caller backs off.
 */
export function parseRetryAfter(value: string | undefined, now: Date): Date | null {
  const text = value?.trim() ?? "";
  if (/^\d+$/.test(text)) return clamp(now.getTime() + Number(text) * 1000, now);
  // Every HTTP-date form begins with a weekday's name; a bare number with letters is junk, not a date.
  if (!/^[A-Za-z]{3,9},? /.test(text)) return null;
  const date = parseDate(text);
  return date === null ? null : clamp(date.getTime(), now);
}

/** Reads a vendor's reset header holding epoch seconds, e.g. `x-rate-limit-reset`; bounded likewise. */
export function parseResetHeader(value: string | undefined, now: Date): Date | null {
  const text = value?.trim() ?? "";
  return /^\d{9,11}$/.test(text) ? clamp(Number(text) * 1000, now) : null;
}

function clamp(instant: number, now: Date): Date {
  return new Date(Math.min(Math.max(instant, now.getTime()), now.getTime() + MAX_WAIT_MS));
}
