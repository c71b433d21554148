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

/** RFC 3339, with any offset. */
export const instantText = z.iso.datetime({ offset: true }).transform((text) => new Date(text));
