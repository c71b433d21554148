import type { z } from "zod";
import type { FieldError } from "@/server/errors";

/** More would only bury the first ones. */
const MAX_FIELDS = 20;

/** zod's issues as the wire shows them, below `prefix`. */
export function toFieldErrors(error: z.core.$ZodError, prefix = ""): FieldError[] {
  return error.issues.slice(0, MAX_FIELDS).map((issue) => ({
    path: toPath(prefix, issue.path),
    code: issue.code,
    message: issue.message,
  }));
}

/** `feeds[3].externalKey`: dots and brackets. */
function toPath(prefix: string, path: readonly PropertyKey[]): string {
  let text = prefix;
  for (const part of path) {
    if (typeof part === "number") text += `[${part}]`;
    else text += text ? `.${String(part)}` : String(part);
  }
  return text;
}
