import { z } from "zod";

/** Lists of feeds as readers export them. Safe for browsers. */

export const MAX_OPML_BYTES = 5 * 1024 * 1024;
export const MAX_OUTLINES = 5_000;
/** Few enough that a call is quick and its progress worth showing. */
export const MAX_IMPORTED_AT_ONCE = 50;

export const previewOpmlInput = z.object({
  /** The file's bytes in base64: its XML says which encoding they are in. */
  base64: z.base64().max(Math.ceil(MAX_OPML_BYTES / 3) * 4 + 4),
});

export const importOpmlInput = z.object({
  feeds: z
    .array(
      z.object({
        /** As in the file, secrets included; they go into the vault. */
        url: z.string().min(1).max(8192),
        title: z.string().max(2_000).nullish(),
        /** Folders from the outside in. */
        groups: z.array(z.string().max(500)).max(20).optional(),
      }),
    )
    .min(1)
    .max(MAX_IMPORTED_AT_ONCE),
});
export type ImportOpmlInput = z.infer<typeof importOpmlInput>;
