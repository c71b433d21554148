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

/** Enough for any preferences; not a place for documents. */
const MAX_OBJECT_CHARACTERS = 64 * 1024;

/** A JSON object that the database can hold. */
export const jsonObject = z
  .record(z.string(), z.unknown())
  .transform((value, ctx): Record<string, unknown> => {
    const text = toJson(value);
    const problem = text === null ? "is not JSON" : findProblem(text);
    if (text === null || problem) {
      ctx.addIssue({ code: "custom", message: problem ?? "" });
      return z.NEVER;
    }
    return JSON.parse(text);
  });

function findProblem(text: string): string | null {
  if (text.length > MAX_OBJECT_CHARACTERS) return "is larger than 64 KiB";
  // Escaped by JSON.stringify, in keys and values alike; after an odd backslash it is literal text.
  return /(?<!\\)(\\\\)*\\u(0000|d[89a-f])/i.test(text) ? UNSTORABLE : null;
}

/** tRPC's transformer can carry what JSON cannot: cycles and big integers. */
function toJson(value: unknown): string | null {
  try {
    return JSON.stringify(value);
  } catch {
    return null;
  }
}

/** An id as this product makes them. Whether it exists is the use case's question. */
export const idText = z.string().regex(/^[a-z]{2,6}_[0-9a-z]{26}$/, "is not an id of this product");

export const pageFields = {
  limit: z.int().min(1).max(200).optional(),
  after: z.string().min(1).max(400).optional(),
};
