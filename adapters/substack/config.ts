import { z } from "zod";

export const substackConfig = z.object({
  fullWalkDays: z
    .int()
    .min(1)
    .max(365)
    .default(7)
    .describe("Days between readings of the whole archive, which find edits of older posts."),
  recheckPosts: z
    .int()
    .min(0)
    .max(50)
    .default(12)
    .describe(
      "How many of the newest posts have their text read again with every reading of the whole archive, " +
        "to find edits that show nowhere else.",
    ),
  postsPerRequest: z
    .int()
    .min(12)
    .max(50)
    .default(12)
    .describe("How many posts one request of the archive asks for. 12 is what Substack's own pages use."),
  secondsBetweenRequests: z
    .number()
    .min(1)
    .max(60)
    .default(1)
    .describe("Pause between two requests, in seconds. Raise it if the publication limits the rate."),
});

export type SubstackConfig = z.infer<typeof substackConfig>;
