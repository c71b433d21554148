import { z } from "zod";
import { ensureFeedInput } from "@/server/feeds/schema";
import { idText, jsonObject, pageFields, shortText } from "@/server/inputs";
import { newFeedsInput } from "@/server/new-feeds/schema";
import { tableFields } from "@/server/tables/schema";
import { SOURCE_SORTS, SOURCE_STATUSES } from "./choices";

/** What callers may ask of sources. Safe for browsers: forms and URL parsing share it. */

const sourceType = shortText(40);
const runsOn = z.enum(["cloud", "agent", "api"]);

/** What an upstream wants to see before it answers. Kept in the vault. */
export const credentialsInput = z.discriminatedUnion("type", [
  z.object({ type: z.literal("basic"), username: z.string().max(1000), password: z.string().max(4000) }),
  z.object({ type: z.literal("bearer"), token: z.string().min(1).max(8000) }),
]);
export type CredentialsInput = z.infer<typeof credentialsInput>;

export const createSourceInput = z.object({
  type: sourceType,
  /** Defaults to what the adapter is called. */
  name: shortText(200).optional(),
  key: shortText(200).nullish(),
  config: jsonObject.optional(),
  runsOn: runsOn.optional(),
  feeds: z.array(ensureFeedInput).max(500).optional(),
  credentials: credentialsInput.optional(),
  newFeeds: newFeedsInput.optional(),
});
export type CreateSourceInput = z.infer<typeof createSourceInput>;

/** Programs name what they make; only the dashboard may leave it to the adapter. */
export const createNamedSourceInput = createSourceInput.extend({ name: shortText(200) });

export const updateSourceInput = z.object({
  name: shortText(200).optional(),
  config: jsonObject.optional(),
  runsOn: runsOn.optional(),
  /** Replaces what is kept; null forgets it. */
  credentials: credentialsInput.nullish(),
  newFeeds: newFeedsInput.omit({ leftOut: true }).optional(),
});
export type UpdateSourceInput = z.infer<typeof updateSourceInput>;

export const listSourcesInput = z.object({
  status: z.enum(SOURCE_STATUSES).optional(),
  type: sourceType.optional(),
  /** Part of the name, in any case. */
  q: shortText(200).optional(),
  ...pageFields,
});
export type ListSourcesInput = z.infer<typeof listSourcesInput>;

/** Which sources: the filters of the table, also of its export and of acts on all that match. */
export const sourceFilters = {
  status: z.enum(SOURCE_STATUSES).optional(),
  type: sourceType.optional(),
  /** Part of the name, in any case. */
  q: shortText(200).optional(),
};
export const browseSourcesInput = z.object({
  ...sourceFilters,
  /** `status` puts the worst first. */
  sort: z.enum(SOURCE_SORTS).optional(),
  ...tableFields,
});
export type BrowseSourcesInput = z.infer<typeof browseSourcesInput>;

export const bulkSourcesInput = z.object({
  sourceIds: z.array(idText).min(1).max(100),
  action: z.enum(["pause", "resume", "sync", "delete"]),
});
export type BulkSourcesInput = z.infer<typeof bulkSourcesInput>;

export const discoverInput = z.object({
  type: sourceType,
  /** What the person typed: a site or feed address. */
  input: shortText(8192).nullish(),
  config: jsonObject.optional(),
  credentials: credentialsInput.optional(),
});
export type DiscoverInput = z.infer<typeof discoverInput>;

export const checkConnectionInput = discoverInput
  .omit({ input: true })
  .extend({ externalKey: shortText(8192), feedConfig: jsonObject.optional() });
export type CheckConnectionInput = z.infer<typeof checkConnectionInput>;
