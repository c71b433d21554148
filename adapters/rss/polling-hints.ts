import type { PollHints } from "@/sdk/adapter";
import { parseDate } from "../parse-date";
import { elementsOf, textOf } from "./markup";
import type { XmlElement } from "./xml-tree";

/** No hint may silence a feed for longer. */
const MAX_SECONDS = 24 * 3600;

const PERIOD_SECONDS: Record<string, number> = {
  hourly: 3600,
  daily: 24 * 3600,
  weekly: 7 * 24 * 3600,
  monthly: 30 * 24 * 3600,
  yearly: 365 * 24 * 3600,
};

const DAYS = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"];

/** What the document itself asks for: ttl, skipHours, skipDays and the syndication module. */
export function readDocumentHints(channel: XmlElement[]): PollHints {
  const core = (name: string) => channel.find((el) => el.name === name && el.vocabulary !== "sy");
  const sy = (name: string) => channel.find((el) => el.name === name && el.vocabulary === "sy");
  const text = (el: XmlElement | undefined) => (el ? textOf(el).trim().toLowerCase() : undefined);

  const seconds: number[] = [];
  const ttl = Number(text(core("ttl")) || Number.NaN);
  if (ttl > 0) seconds.push(ttl * 60);
  const period = sy("updateperiod") ? PERIOD_SECONDS[text(sy("updateperiod")) ?? ""] : undefined;
  if (period !== undefined || sy("updatefrequency")) {
    const frequency = Number(text(sy("updatefrequency")) || 1);
    const perPeriod = Number.isFinite(frequency) ? Math.max(frequency, 1) : 1;
    seconds.push((period ?? MAX_SECONDS) / perPeriod);
  }

  const hours = listOf(core("skiphours"), "hour")
    .map(Number)
    .filter((hour) => Number.isInteger(hour) && hour >= 0 && hour <= 24)
    .map((hour) => hour % 24);
  const days = listOf(core("skipdays"), "day")
    .map((day) => DAYS.indexOf(day))
    .filter((day) => day >= 0);
  return toHints(seconds, unique(hours), unique(days));
}

/** What the HTTP answer asks for: `Cache-Control: max-age`, else `Expires`. */
export function readHttpHints(headers: Record<string, string>, now: Date): PollHints {
  const cacheControl = headers["cache-control"]?.toLowerCase() ?? "";
  const maxAge = /(?:^|[\s,])max-age\s*=\s*"?(\d+)/.exec(cacheControl)?.[1];
  if (maxAge !== undefined) return toHints([Number(maxAge)], [], []);
  if (/no-cache|no-store/.test(cacheControl)) return {};
  const expires = headers.expires ? parseDate(headers.expires) : null;
  const asked = headers.date ? (parseDate(headers.date) ?? now) : now;
  return expires ? toHints([(expires.getTime() - asked.getTime()) / 1000], [], []) : {};
}

/** The more patient of both. */
export function mergeHints(a: PollHints, b: PollHints): PollHints {
  const seconds = [a.minIntervalSeconds, b.minIntervalSeconds].filter((s) => s !== undefined);
  return { ...a, ...b, ...(seconds.length > 0 ? { minIntervalSeconds: Math.max(...seconds) } : {}) };
}

function toHints(seconds: number[], hours: number[], days: number[]): PollHints {
  const longest = Math.floor(Math.min(Math.max(0, ...seconds), MAX_SECONDS));
  return {
    ...(longest > 0 ? { minIntervalSeconds: longest } : {}),
    // "Skip everything" would be "never": a mistake, not a wish.
    ...(hours.length > 0 && hours.length < 24 ? { skipHoursUtc: hours } : {}),
    ...(days.length > 0 && days.length < 7 ? { skipDaysUtc: days } : {}),
  };
}

function listOf(parent: XmlElement | undefined, name: string): string[] {
  if (!parent) return [];
  return elementsOf(parent)
    .filter((el) => el.name === name)
    .map((el) => textOf(el).trim().toLowerCase())
    .filter((text) => text !== "");
}

function unique(values: number[]): number[] {
  return [...new Set(values)].sort((a, b) => a - b);
}
