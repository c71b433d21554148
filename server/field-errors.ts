import type { z } from "zod";
import type { FieldError } from "@/server/errors";

/** More would only bury the first ones. */
const MAX_FIELDS = 20;

/** zod's issues as the wire shows them, below `prefix`. */
export function toFieldErrors(error: z.core.$ZodError, prefix = ""): FieldError[] {
  return error.issues.slice(0, MAX_FIELDS).map((issue) => ({
    path: toPath(prefix, issue.path),
    code: issue.code,
    message: inWords(issue),
  }));
}

/** zod's own words are for programmers ("Too big: expected number to be <=1000"); what a schema says, stays. */
function inWords(issue: z.core.$ZodIssue): string {
  if (issue.code === "too_big" && issue.message.startsWith("Too big: ")) {
    return `At most ${ofWhat(issue.origin, issue.maximum)}${issue.inclusive === false ? ", not included" : ""}.`;
  }
  if (issue.code === "too_small" && issue.message.startsWith("Too small: ")) {
    if (issue.origin === "string" && issue.minimum === 1) return "Must not be empty.";
    return `At least ${ofWhat(issue.origin, issue.minimum)}${issue.inclusive === false ? ", not included" : ""}.`;
  }
  return issue.message;
}

const UNITS: Record<string, string> = { string: " characters", array: " entries", set: " entries" };

function ofWhat(origin: string, limit: number | bigint): string {
  return `${limit.toLocaleString("en")}${UNITS[origin] ?? ""}`;
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
