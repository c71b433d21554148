import { z } from "zod";
import { idText, pageFields } from "@/server/inputs";

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
