import { z } from "zod";
import { idText, jsonObject, pageFields, shortText } from "@/server/inputs";
import { tableFields } from "@/server/tables/schema";
import { FEED_SORTS, FEED_STATUSES, REJECTION_SORTS } from "./choices";

/** What callers may ask of feeds. Safe for browsers: forms and URL parsing share it. */

export const WATERMARKS = ["date", "idSet", "token", "none"] as const;

/** Seconds between two syncs; null = adaptive. A month is the longest anyone can mean. */
const intervalSeconds = z
  .int()
  .min(1)
  .max(31 * 86_400);

/** As long as an external id may be: both are URLs often enough. */
export const externalKey = shortText(8192).refine(
  (value) => new TextEncoder().encode(value).length <= 8192,
  "is longer than 8,192 bytes",
);

export const ensureFeedInput = z.object({
  externalKey,
  name: shortText(300).nullish(),
  watermark: z.enum(WATERMARKS).nullish(),
  config: jsonObject.optional(),
  intervalSeconds: intervalSeconds.nullish(),
});
export type EnsureFeedInput = z.infer<typeof ensureFeedInput>;

export const updateFeedInput = z.object({
  name: shortText(300).nullish(),
  config: jsonObject.optional(),
  intervalSeconds: intervalSeconds.nullish(),
});
export type UpdateFeedInput = z.infer<typeof updateFeedInput>;

export const moveFeedInput = z.object({
  /** The whole new address, secrets included. */
  externalKey,
  /** Where the next sync begins there: at the feed's cursor, or from the beginning. */
  position: z.enum(["keep", "restart"]),
});
export type MoveFeedInput = z.infer<typeof moveFeedInput>;

export const listFeedsInput = z.object({
  sourceId: idText.optional(),
  status: z.enum(FEED_STATUSES).optional(),
  ...pageFields,
});
export type ListFeedsInput = z.infer<typeof listFeedsInput>;

/**
 * Why feeds need attention: `needs_reconnect`, `disabled`, `paused_by_failures`, `rate_limited`,
 * `cursor_stuck`, `held_deletes`, `rejections`, or `failing:` with the error's code.
 */
export const causeText = z.string().regex(/^[a-z_]{1,40}(:[a-z0-9_.-]{1,60})?$/, "is not a cause");

/** Which feeds: the filters of the table, also of its export and of acts on all that match. */
export const feedFilters = {
  sourceId: idText.optional(),
  status: z.enum(FEED_STATUSES).optional(),
  /** The source's type. */
  type: shortText(40).optional(),
  /** Part of the feed's name, title or address, or of the source's name, in any case. */
  q: shortText(200).optional(),
  cause: causeText.optional(),
  /** As an OPML import put it into the feed's config. */
  group: shortText(1000).optional(),
};
export type FeedFilters = z.infer<z.ZodObject<typeof feedFilters>>;

/** The filters alone, in one order: a cursor is bound to them. */
export function feedFiltersOf({ sourceId, status, type, q, cause, group }: FeedFilters): FeedFilters {
  return { sourceId, status, type, q, cause, group };
}

export const browseFeedsInput = z.object({
  ...feedFilters,
  /** `status` puts the worst first. */
  sort: z.enum(FEED_SORTS).optional(),
  ...tableFields,
});
export type BrowseFeedsInput = z.infer<typeof browseFeedsInput>;

export const bulkFeedsInput = z.object({
  feedIds: z.array(idText).min(1).max(100),
  action: z.enum(["pause", "resume", "sync", "delete"]),
});
export type BulkFeedsInput = z.infer<typeof bulkFeedsInput>;

export const feedHistoryInput = z.object({
  feedIds: z.array(idText).min(1).max(200),
  days: z.int().min(1).max(90).optional(),
});
export type FeedHistoryInput = z.infer<typeof feedHistoryInput>;

/** Which rejected items; without a feed those of the whole workspace. */
export const rejectionFilters = {
  feedId: idText.optional(),
  sourceId: idText.optional(),
  code: z
    .string()
    .regex(/^[a-z_]{1,60}$/)
    .optional(),
  /** Part of the item's id or of the reason, in any case. */
  q: shortText(200).optional(),
};
export type RejectionFilters = z.infer<z.ZodObject<typeof rejectionFilters>>;

export const browseRejectionsInput = z.object({
  ...rejectionFilters,
  sort: z.enum(REJECTION_SORTS).optional(),
  ...tableFields,
});
export type BrowseRejectionsInput = z.infer<typeof browseRejectionsInput>;

export const browseHeldItemsInput = z.object({
  feedId: idText,
  holdId: idText,
  /** Part of a title or of an id, in any case. */
  q: shortText(200).optional(),
  ...tableFields,
});
export type BrowseHeldItemsInput = z.infer<typeof browseHeldItemsInput>;

/** Few enough for one request; each is an ingest call of its own. */
export const bulkRejectionsInput = z.object({
  rejections: z
    .array(z.object({ feedId: idText, rejectionId: idText }))
    .min(1)
    .max(50),
});
export type BulkRejectionsInput = z.infer<typeof bulkRejectionsInput>;

/** What REST takes, and where a run began besides. */
export const rewindFeedInput = z.object({
  to: idText.nullable().or(z.object({ beforeRun: idText })),
  reason: shortText(1000),
  dryRun: z.boolean().optional(),
});

export const resetFeedInput = z.object({
  /** null, or the id of an earlier transition whose cursor to go back to. */
  to: idText.nullable(),
  reason: shortText(1000),
  dryRun: z.boolean().optional(),
});
