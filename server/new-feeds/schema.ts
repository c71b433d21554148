import { z } from "zod";
import { shortText } from "@/server/inputs";

/** How a source looks for feeds that its upstream offers later. Safe for browsers. */
export const newFeedsInput = z.object({
  /** Are they added by themselves? */
  isOn: z.boolean().optional(),
  /** What the person typed when they were looking for feeds; looked at again. */
  address: shortText(8192).optional(),
  /** Keys of feeds that were offered and not chosen: they are not added later either. */
  leftOut: z.array(shortText(8192)).max(1_000).optional(),
});
export type NewFeedsInput = z.infer<typeof newFeedsInput>;
