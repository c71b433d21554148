import { z } from "@hono/zod-openapi";
import { AppError, type FieldError } from "@/server/errors";

/** Query parameters: strings on the wire, checked and typed here. */

/** A whole number in decimal, without `+`, exponents or blanks; one out of range is told the bound it broke. */
export function queryInt(min: number, max: number) {
  return z
    .string()
    .regex(/^(?:\d{1,15}|-[1-9]\d{0,14})$/, "must be a whole number")
    .transform(Number)
    .pipe(z.int().min(min).max(max))
    .meta({ type: "integer", minimum: min, maximum: max });
}

export const queryBoolean = z
  .enum(["true", "false"])
  .transform((value) => value === "true")
  .meta({ type: "boolean" });

/** What every list takes. */
export const pageQuery = {
  limit: queryInt(1, 200).optional(),
  after: z.string().min(1).max(400).optional(),
};

/** Of an answer: more would only bury the first ones. */
const MAX_NAMED = 20;
const MAX_NAME_LENGTH = 100;

/** Names of the parameters that a route's schema takes. */
export function parametersOf(schema: z.ZodType | undefined): readonly string[] {
  return schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
}

/**
 * The parameters by their names. A filter that is misspelt, or given twice, would quietly bring more or
 * less than was meant, and `?dryRun=true` where the body decides would do what was only to be tried: so
 * what an operation does not know is refused, and a repeated one too.
 *
 * @throws AppError invalid_request naming each of them, and what the operation takes.
 */
export function readQuery(url: string, known: readonly string[]): Record<string, string> {
  const query: Record<string, string> = Object.create(null);
  const start = url.indexOf("?");
  if (start === -1) return query;
  const problems = new Map<string, FieldError>();
  for (const [name, value] of new URLSearchParams(url.slice(start + 1))) {
    if (!known.includes(name)) problems.set(name, unknownParameter(name, known));
    else if (name in query) problems.set(name, repeatedParameter(name));
    else query[name] = value;
  }
  const fields = [...problems.values()].slice(0, MAX_NAMED);
  const [first] = fields;
  if (first) throw new AppError("invalid_request", `${first.path}: ${first.message}`, { fields });
  return query;
}

function unknownParameter(name: string, known: readonly string[]): FieldError {
  const taken = known.length === 0 ? "takes none" : `takes ${known.join(", ")}`;
  return {
    path: name.slice(0, MAX_NAME_LENGTH),
    code: "unknown_parameter",
    message: `Is no query parameter of this operation, which ${taken}.`,
  };
}

function repeatedParameter(name: string): FieldError {
  return { path: name, code: "repeated_parameter", message: "Is given more than once; send it once." };
}
