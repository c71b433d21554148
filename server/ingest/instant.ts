/**
 * RFC 3339 timestamps compared by exact instant. JavaScript dates stop at milliseconds; versions and
 * cursors must not, or two edits within one would look the same.
 */
export type Instant = {
  /** Whole seconds since 1970-01-01T00:00:00Z, rounded down. */
  seconds: number;
  /** Digits after the point, without trailing zeros. */
  fraction: string;
};

const RFC3339 =
  /^(\d{4})-(\d\d)-(\d\d)[Tt ](\d\d):(\d\d):(\d\d)(?:\.(\d{1,30}))?(?:[Zz]|([+-])(\d\d):(\d\d))$/;

/** @returns null for anything but a valid RFC 3339 timestamp with a zone. */
export function parseInstant(text: string): Instant | null {
  const match = RFC3339.exec(text);
  if (!match) return null;
  const [, year, month, day, hour, minute, second] = match.map(Number) as number[];
  if (year === undefined || month === undefined || day === undefined) return null;
  if (hour === undefined || minute === undefined || second === undefined) return null;
  if (month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) return null;
  // 60 is a leap second; it is the same instant as the next minute's first.
  if (hour > 23 || minute > 59 || second > 60) return null;
  const offsetHours = Number(match[9] ?? 0);
  const offsetMinutes = Number(match[10] ?? 0);
  if (offsetHours > 23 || offsetMinutes > 59) return null;

  const midnight = new Date(0);
  midnight.setUTCFullYear(year, month - 1, day); // Date.UTC would read years below 100 as 19xx
  const local = midnight.getTime() / 1000 + hour * 3600 + minute * 60 + second;
  const offset = (offsetHours * 3600 + offsetMinutes * 60) * (match[8] === "-" ? -1 : 1);
  return { seconds: local - offset, fraction: (match[7] ?? "").replace(/0+$/, "") };
}

export function compareInstants(a: Instant, b: Instant): number {
  if (a.seconds !== b.seconds) return a.seconds < b.seconds ? -1 : 1;
  if (a.fraction === b.fraction) return 0;
  return a.fraction < b.fraction ? -1 : 1; // without trailing zeros, digits compare as text
}

export function instantFromDate(date: Date): Instant {
  const ms = date.getTime();
  const seconds = Math.floor(ms / 1000);
  return {
    seconds,
    fraction: String(ms - seconds * 1000)
      .padStart(3, "0")
      .replace(/0+$/, ""),
  };
}

/** Keeps every instant of the years 0000 to 9999 positive, so that its digits can be joined as text. */
const ORDER_OFFSET = 100_000_000_000;

/** A decimal that orders instants exactly; what `documents.version_order` holds for timestamps. */
export function instantOrder({ seconds, fraction }: Instant): string {
  return `${seconds + ORDER_OFFSET}${fraction ? `.${fraction}` : ""}`;
}

/** RFC 3339 UTC with microseconds at most, as Postgres stores it; null outside the years 1 to 9999. */
export function instantToIso({ seconds, fraction }: Instant): string | null {
  const date = new Date(seconds * 1000);
  const year = date.getUTCFullYear();
  if (year < 1 || year > 9999) return null;
  const micros = fraction.slice(0, 6);
  return date.toISOString().replace(/\.000Z$/, micros ? `.${micros}Z` : "Z");
}

function daysIn(year: number, month: number): number {
  if (month === 2) return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}
