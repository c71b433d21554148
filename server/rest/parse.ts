import type { z } from "zod";
import { AppError } from "@/server/errors";
import { toFieldErrors } from "@/server/field-errors";

/** @throws AppError invalid_request with a field error for each problem. */
export function parse<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const fields = toFieldErrors(parsed.error);
  const [first] = fields;
  const detail = first ? `${first.path ? `${first.path}: ` : ""}${first.message}` : "The request is invalid.";
  throw new AppError("invalid_request", detail, { fields });
}
