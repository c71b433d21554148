import { z } from "zod";
import { idText, pageFields, shortText } from "@/server/inputs";
import { instantText, tableFields } from "@/server/tables/schema";
import { EXECUTORS, RUN_SORTS, RUN_STATUSES, RUN_TRIGGERS } from "./choices";

/** What callers may ask of runs. Safe for browsers: forms and URL parsing share it. */

export const listRunsInput = z.object({
  feedId: idText.optional(),
  sourceId: idText.optional(),
  status: z.enum(RUN_STATUSES).optional(),
  executor: z.enum(EXECUTORS).optional(),
  trigger: z.enum(RUN_TRIGGERS).optional(),
  /** Runs that started (or were queued) at this time or later. */
  since: instantText.optional(),
  /** Runs that started (or were queued) before this time. */
  until: instantText.optional(),
  ...pageFields,
});
export type ListRunsInput = z.infer<typeof listRunsInput>;

/** Which runs: the filters of the table and of its export. */
export const runFilters = {
  feedId: idText.optional(),
  sourceId: idText.optional(),
  status: z.enum(RUN_STATUSES).optional(),
  executor: z.enum(EXECUTORS).optional(),
  trigger: z.enum(RUN_TRIGGERS).optional(),
  /** Runs that started (or were queued) at this time or later. */
  since: instantText.optional(),
  /** Runs that started (or were queued) before this time. */
  until: instantText.optional(),
};
export type RunFilters = z.infer<z.ZodObject<typeof runFilters>>;

export const browseRunsInput = z.object({
  ...runFilters,
  sort: z.enum(RUN_SORTS).optional(),
  ...tableFields,
});
export type BrowseRunsInput = z.infer<typeof browseRunsInput>;

export const startRunInput = z.object({
  trigger: z.enum(RUN_TRIGGERS).optional(),
  /** List from the beginning although the feed has a position, so that `complete` counts. */
  listing: z.boolean().optional(),
});

export const restartRunInput = z.object({ reason: shortText(1000) });

/** An error as another's code reports it. Only what people must know is required. */
export const runErrorInput = z
  .object({
    origin: z.enum(["upstream", "adapter", "tidemark"]).default("upstream"),
    code: shortText(100).default("failed"),
    message: shortText(2000),
    detail: shortText(2000)
      .nullish()
      .transform((detail) => detail ?? null),
    retryable: z.boolean().default(true),
  })
  // A bare sentence is what most scripts have.
  .or(
    shortText(2000).transform((message) => ({
      origin: "upstream" as const,
      code: "failed",
      message,
      detail: null,
      retryable: true,
    })),
  );

export const finishRunInput = z.object({
  status: z.enum(["succeeded", "partial", "failed", "cancelled"]),
  error: runErrorInput.nullish(),
  /** This run listed everything from the beginning: what it did not bring is gone. */
  complete: z.boolean().optional(),
  /** What a person should know about a run that went well otherwise. */
  warnings: z
    .array(z.object({ code: shortText(100), message: shortText(2000) }))
    .max(50)
    .optional(),
  /** When a rate limit ends (`error.code` is `rate_limited`); at most a day ahead counts. */
  retryAt: instantText.nullish(),
});
