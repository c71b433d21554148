import type { z } from "zod";
import { AppError } from "@/server/errors";

/** @throws AppError invalid_request with a field error for each problem. */
export function parseInput<Schema extends z.ZodType>(schema: Schema, input: unknown): z.output<Schema> {
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  const fields = parsed.error.issues.map(({ path, code, message }) => ({
    path: path.join("."),
    code,
    message,
  }));
  const summary = fields.map(({ path, message }) => (path ? `${path} ${message}` : message)).join("; ");
  throw new AppError("invalid_request", `Please correct: ${summary}`, { fields });
}
