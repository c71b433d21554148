import { z } from "zod";
import { idText, pageFields, shortText } from "@/server/inputs";
import { instantText, tableFields } from "@/server/tables/schema";
import { DOCUMENT_STATES } from "./choices";

/** What callers may ask of documents. Safe for browsers. */

export const listDocumentsInput = z.object({
  feedId: idText,
  /** true: tombstones instead of live documents. */
  deleted: z.boolean().optional(),
  /** By latest change. `oldest` first misses nothing that changes during the walk. */
  order: z.enum(["oldest", "newest"]).optional(),
  ...pageFields,
});
export type ListDocumentsInput = z.infer<typeof listDocumentsInput>;

/** Which documents; without feed and source those of the whole workspace. */
export const documentFilters = {
  feedId: idText.optional(),
  sourceId: idText.optional(),
  /** Default `live`. */
  state: z.enum(DOCUMENT_STATES).optional(),
  /** Part of the title, in any case. */
  q: shortText(200).optional(),
  /** Published at this time or later; undated documents are left out then. */
  since: instantText.optional(),
  /** Published before this time. */
  until: instantText.optional(),
};
export type DocumentFilters = z.infer<z.ZodObject<typeof documentFilters>>;

export const browseDocumentsInput = z.object({
  ...documentFilters,
  /** Former spelling of `state`. */
  deleted: z.boolean().optional(),
  /** Former spelling of `dir`. */
  order: z.enum(["oldest", "newest"]).optional(),
  ...tableFields,
});
export type BrowseDocumentsInput = z.infer<typeof browseDocumentsInput>;
