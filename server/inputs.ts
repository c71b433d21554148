import { z } from "zod";

/** Pieces that every input schema is made of. Safe for browsers. */

/** PostgreSQL stores neither U+0000 nor half a surrogate pair. */
function isStorable(value: string): boolean {
  return !value.includes("\0") && value.isWellFormed();
}

const UNSTORABLE = "contains U+0000 or a lone surrogate";

/** A name or key: one line's worth of text. `max` is in characters. */
export function shortText(max: number) {
  return z.string().trim().min(1).max(max).refine(isStorable, UNSTORABLE);
}

/** A JSON object that the database can hold; at most 64 KiB of text. */
export const jsonObject = z.record(z.string(), z.json()).superRefine((value, ctx) => {
  const text = JSON.stringify(value);
  if (text.length > 64 * 1024) ctx.addIssue({ code: "custom", message: "is larger than 64 KiB" });
  // Escaped by JSON.stringify, in keys and values alike; an even run of backslashes is a literal one.
  else if (/(?<!\\)(\\\\)*\\u(0000|d[89a-f])/i.test(text))
    ctx.addIssue({ code: "custom", message: UNSTORABLE });
});

/** An id as this product makes them. Whether it exists is the use case's question. */
export const idText = z.string().regex(/^[a-z]{2,6}_[0-9a-z]{26}$/, "is not an id of this product");

export const pageFields = {
  limit: z.int().min(1).max(200).optional(),
  after: z.string().min(1).max(400).optional(),
};
