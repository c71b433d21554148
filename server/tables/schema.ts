import { z } from "zod";

/** What every table of the dashboard takes beside its filters. Safe for browsers. */
export const tableFields = {
  dir: z.enum(["asc", "desc"]).optional(),
  limit: z.int().min(1).max(200).optional(),
  /** `nextAfter` of a page of the same list, order and filters. */
  after: z.string().min(1).max(40_000).optional(),
  /** `prevBefore` likewise; not together with `after`. */
  before: z.string().min(1).max(40_000).optional(),
};

/** Beyond four digits of year, offset applied, the database reads a time differently or not at all. */
const FIRST_INSTANT = Date.parse("0001-01-01T00:00:00Z");
const LAST_INSTANT = Date.parse("9999-12-31T23:59:59.999Z");

/** RFC 3339, with any offset and any number of fractional digits, in the years 1 to 9999. */
export const instantText = z.iso
  .datetime({ offset: true })
  .transform((text) => new Date(text))
  .refine(
    (time) => time.getTime() >= FIRST_INSTANT && time.getTime() <= LAST_INSTANT,
    "is not a time of the years 1 to 9999",
  );
