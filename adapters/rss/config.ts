import { z } from "zod";

export const rssConfig = z.object({
  archivePages: z
    .int()
    .min(0)
    .max(1000)
    .default(50)
    .describe(
      "How many pages of older entries the first sync reads, where a feed offers them. 0 reads none.",
    ),
});

export type RssConfig = z.infer<typeof rssConfig>;
