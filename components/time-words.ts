const MINUTE = 60;
const HOUR = 3600;
const DAY = 86_400;

const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto" });

/**
 * "12 seconds ago", "in 3 hours", "yesterday"; beyond 60 days the date itself.
 *
 * The page's clock ticks every ten seconds, so what has just happened may seem to lie that far ahead:
 * "now" is true of both.
 */
export function describeRelative(date: Date, now: number): string {
  const seconds = Math.round((date.getTime() - now) / 1000);
  const distance = Math.abs(seconds);
  if (distance < 10) return seconds > 0 ? "now" : "just now";
  if (distance < MINUTE) return relative.format(seconds, "second");
  if (distance < HOUR) return relative.format(Math.trunc(seconds / MINUTE), "minute");
  if (distance < DAY) return relative.format(Math.trunc(seconds / HOUR), "hour");
  if (distance < 60 * DAY) return relative.format(Math.trunc(seconds / DAY), "day");
  return new Intl.DateTimeFormat("en-GB", {
    day: "numeric",
    month: "short",
    year: "numeric",
    timeZone: "UTC",
  }).format(date);
}

/** "14 June 2026, 14:45:03 GMT+5:45". @param timeZone undefined = the viewer's. */
export function formatExact(date: Date, timeZone?: string): string {
  return new Intl.DateTimeFormat("en-GB", {
    day: "numeric",
    month: "long",
    year: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
    timeZoneName: "short",
    timeZone,
  })
    .format(date)
    .replace(" at ", ", ");
}

/** "14 June 2026, 09:00 UTC": how a date cursor is said. Seconds only when they are not zero. */
export function formatUtc(date: Date): string {
  const hasSeconds = date.getUTCSeconds() !== 0 || date.getUTCMilliseconds() !== 0;
  const text = new Intl.DateTimeFormat("en-GB", {
    day: "numeric",
    month: "long",
    year: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    second: hasSeconds ? "2-digit" : undefined,
    timeZone: "UTC",
  })
    .format(date)
    .replace(" at ", ", ");
  return `${text} UTC`;
}

/** "840 ms", "3.2 s", "4 min 10 s", "2 h 5 min". */
export function formatDuration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  const seconds = ms / 1000;
  if (seconds < 60) return `${seconds < 10 ? seconds.toFixed(1) : Math.round(seconds)} s`;
  const whole = Math.round(seconds);
  if (whole < HOUR) return join(Math.floor(whole / 60), "min", whole % 60, "s");
  if (whole < DAY) return join(Math.floor(whole / HOUR), "h", Math.floor((whole % HOUR) / 60), "min");
  return join(Math.floor(whole / DAY), "d", Math.floor((whole % DAY) / HOUR), "h");
}

function join(major: number, majorUnit: string, minor: number, minorUnit: string): string {
  return minor === 0 ? `${major} ${majorUnit}` : `${major} ${majorUnit} ${minor} ${minorUnit}`;
}
