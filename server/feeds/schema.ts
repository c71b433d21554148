import { z } from "zod";
import { idText, jsonObject, pageFields, shortText } from "@/server/inputs";

/** What callers may ask of feeds. Safe for browsers: forms and URL parsing share it. */

export const FEED_STATUSES = [
  "active",
  "paused",
  "failing",
  "rate_limited",
  "needs_reconnect",
  "disabled",
  "deleting",
] as const;
export type FeedStatus = (typeof FEED_STATUSES)[number];

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

export const listFeedsInput = z.object({
  sourceId: idText.optional(),
  status: z.enum(FEED_STATUSES).optional(),
  ...pageFields,
});
export type ListFeedsInput = z.infer<typeof listFeedsInput>;

export const resetFeedInput = z.object({
  /** null, or the id of an earlier transition whose cursor to go back to. */
  to: idText.nullable(),
  reason: shortText(1000),
  dryRun: z.boolean().optional(),
});
