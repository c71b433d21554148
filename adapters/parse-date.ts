import { MONTHS, WEEKDAYS, ZONES } from "./date-names";

/**
 * Reads a date as feeds in the wild write it: RFC 822 and 3339 and their relatives, asctime,
 * numeric and localised forms. A missing zone is UTC; a weekday is not checked; hour 24 and
 * second 60 roll over.
 *
 * @returns Null when it is not a date: out of range, or with something left over that no known
 *   form explains. Never a guess from half a string.
 */
export function parseDate(text: string): Date | null {
  const input = text.normalize("NFKC").trim();
  if (input === "" || input.length > 200) return null;
  const fields = parseIso(input) ?? parseWords(input);
  return fields && toDate(fields);
}

type Fields = {
  year: number;
  month: number;
  day: number;
  hour: number;
  minute: number;
  second: number;
  millis: number;
  /** Minutes east of UTC. */
  offset: number;
};

const ISO =
  /^(\d{4})(?:-?(\d{2})(?:-?(\d{2}))?)?(?:(?:[Tt]|\s+)(\d{1,2})(?::?(\d{2})(?::?(\d{2})(?:[.,](\d+))?)?)?\s*(Z|[A-Za-z]{1,5}|(?:GMT|UTC)?[+-]\d{1,2}:?\d{0,2})?)?$/;
/** ISO 8601 ordinal date: 2003-335. */
const ORDINAL_DATE = /^(\d{4})-(\d{3})$/;

function parseIso(input: string): Fields | null {
  const ordinal = ORDINAL_DATE.exec(input);
  if (ordinal) return fromDayOfYear(Number(ordinal[1]), Number(ordinal[2]));
  const match = ISO.exec(input);
  if (!match) return null;
  const [, year, month = "1", day = "1", hour = "0", minute = "0", second = "0", fraction = "0", zone = "Z"] =
    match;
  const offset = parseZone(zone);
  if (offset === null) return null;
  // An undashed six-digit date would be a guess between year-month and a short year.
  if (/^\d{6}$/.test(input)) return null;
  return {
    year: Number(year),
    month: Number(month),
    day: Number(day),
    hour: Number(hour),
    minute: Number(minute),
    second: Number(second),
    millis: toMillis(fraction),
    offset,
  };
}

/**
 * The free forms: names and numbers in some order. Known pieces are taken out one by one; nothing
 * may remain.
 */
function parseWords(input: string): Fields | null {
  // "(Coordinated Universal Time)" after an offset is a comment, as RFC 822 allows.
  let rest = ` ${input.replace(/\([^()]*\)/g, " ").toLowerCase()} `;
  const take = (pattern: RegExp): RegExpExecArray | null => {
    const match = pattern.exec(rest);
    if (match) rest = `${rest.slice(0, match.index)} ${rest.slice(match.index + match[0].length)}`;
    return match;
  };

  const clock = take(
    /(?<![\d:])(\d{1,2})[:h](\d{2})(?::(\d{2})(?:[.,](\d+))?)?(?:\s*([ap])\.?m\.?(?![a-z]))?(?![\d:])/,
  );
  let hour = Number(clock?.[1] ?? 0);
  if (clock?.[5]) {
    if (hour < 1 || hour > 12) return null;
    hour = (hour % 12) + (clock[5] === "p" ? 12 : 0);
  }

  const date = takeDate(take);
  if (!date) return null;
  const zone = take(/(?<=[\s\d/])((?:gmt|utc|ut|z)?\s?[+-]\d{1,2}:?(?:\d{2})?|[a-z]{1,5})(?=\s*$)/);
  const offset = zone?.[1] === undefined ? 0 : zoneOrWeekday(zone[1]);
  if (offset === null) return null;

  // "CET +01:00" names its zone twice.
  const isKnown = (word: string) => isNoise(word) || (/\d/.test(zone?.[1] ?? "") && word in ZONES);
  const leftOver = rest.split(/[\s,.|/–—-]+/).filter((word) => word !== "" && !isKnown(word));
  if (leftOver.length > 0) return null;
  return {
    ...date,
    hour,
    minute: Number(clock?.[2] ?? 0),
    second: Number(clock?.[3] ?? 0),
    millis: toMillis(clock?.[4] ?? "0"),
    offset,
  };
}

/** "5 March at 10:15", "5 de marzo de 2019", "Etc/GMT". */
const FILLERS = new Set(["at", "t", "de", "um", "etc"]);

type TakenDate = Pick<Fields, "year" | "month" | "day">;

const LETTERS = "[\\p{L}][\\p{L}\\p{M}]*";
const ORDINAL = "(?:st|nd|rd|th|er|º|ª|\\.)?";

function takeDate(take: (pattern: RegExp) => RegExpExecArray | null): TakenDate | null {
  const dayFirst = new RegExp(
    `(?<!\\d)(\\d{1,2})${ORDINAL}[\\s,/-]+(?:de\\s+)?(${LETTERS})\\.?[\\s,/-]+(?:de\\s+)?(\\d{4}|\\d{2})(?!\\d)`,
    "u",
  );
  let match = take(dayFirst);
  if (match) return named(match[3], match[2], match[1]);

  const monthFirst = new RegExp(
    `(?<!\\p{L})(${LETTERS})\\.?[\\s,/-]+(\\d{1,2})${ORDINAL}[\\s,/-]+(\\d{4})(?!\\d)`,
    "u",
  );
  match = take(monthFirst);
  if (match) return named(match[3], match[1], match[2]);

  // asctime: the clock stood between day and year and is already out.
  const yearFirst = new RegExp(
    `(?<!\\d)(\\d{4})[\\s,/-]+(${LETTERS})\\.?[\\s,/-]+(\\d{1,2})${ORDINAL}(?!\\d)`,
    "u",
  );
  match = take(yearFirst);
  if (match) return named(match[1], match[2], match[3]);

  match = take(/(?<!\d)(\d{4})年\s*(\d{1,2})月\s*(\d{1,2})日/);
  if (match) return { year: Number(match[1]), month: Number(match[2]), day: Number(match[3]) };

  match = take(/(?<!\d)(\d{4})[/.-](\d{1,2})[/.-](\d{1,2})(?!\d)/);
  if (match) return { year: Number(match[1]), month: Number(match[2]), day: Number(match[3]) };

  match = take(/(?<!\d)(\d{1,2})([/. -])(\d{1,2})\2(\d{4})(?!\d)/);
  if (match) return dayOrMonthFirst(Number(match[1]), match[2] ?? "", Number(match[3]), Number(match[4]));
  return null;
}

function named(year = "", month = "", day = ""): TakenDate | null {
  const number = MONTHS[foldName(month)];
  return number === undefined ? null : { year: fullYear(year), month: number, day: Number(day) };
}

/** `03/30/2020` is American; dots, blanks and dashes put the day first. What is above 12 decides. */
function dayOrMonthFirst(a: number, separator: string, b: number, year: number): TakenDate {
  const monthFirst = a > 12 ? false : b > 12 ? true : separator === "/";
  return { year, month: monthFirst ? a : b, day: monthFirst ? b : a };
}

/** RFC 2822: two digits below 50 are this century. */
function fullYear(text: string): number {
  const year = Number(text);
  return text.length === 2 ? year + (year < 50 ? 2000 : 1900) : year;
}

function parseZone(zone: string): number | null {
  const text = zone.toLowerCase().replace(/\s/g, "");
  const match = /^(?:gmt|utc|ut|z)?([+-])(\d{1,2}):?(\d{2})?$/.exec(text);
  if (!match) return ZONES[text] ?? null;
  const hours = Number(match[2]);
  const minutes = Number(match[3] ?? 0);
  if (hours > 24 || minutes > 59) return null;
  return (match[1] === "-" ? -1 : 1) * (hours * 60 + minutes);
}

/** The last word may be a weekday ("4 July 2020 Saturday"), which says nothing about the zone. */
function zoneOrWeekday(word: string): number | null {
  return parseZone(word) ?? (isNoise(word) ? 0 : null);
}

function isNoise(word: string): boolean {
  return WEEKDAYS.has(foldName(word)) || FILLERS.has(word);
}

function foldName(word: string): string {
  return word
    .toLowerCase()
    .normalize("NFD")
    .replace(/\p{M}|\./gu, "");
}

function fromDayOfYear(year: number, dayOfYear: number): Fields | null {
  const date = new Date(0);
  date.setUTCFullYear(year, 0, dayOfYear);
  if (dayOfYear < 1 || date.getUTCFullYear() !== year) return null;
  const [month, day] = [date.getUTCMonth() + 1, date.getUTCDate()];
  return { year, month, day, hour: 0, minute: 0, second: 0, millis: 0, offset: 0 };
}

function toMillis(fraction: string): number {
  return Math.floor(Number(`0.${fraction}`) * 1000);
}

function toDate(f: Fields): Date | null {
  if (f.month < 1 || f.month > 12 || f.day < 1 || f.hour > 24 || f.minute > 59 || f.second > 60) return null;
  if (f.hour === 24 && (f.minute > 0 || f.second > 0)) return null;
  if (f.year < 1 || f.year > 9999) return null;
  const date = new Date(0);
  date.setUTCFullYear(f.year, f.month - 1, f.day);
  if (date.getUTCMonth() !== f.month - 1) return null; // 31 April
  date.setUTCHours(f.hour, f.minute - f.offset, f.second, f.millis);
  return Number.isNaN(date.getTime()) ? null : date;
}
