import { z } from "@hono/zod-openapi";

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

/** The first value of each parameter; a repeated one is not an error, nor a list. */
export function readQuery(url: string): Record<string, string> {
  const query: Record<string, string> = Object.create(null);
  const start = url.indexOf("?");
  if (start === -1) return query;
  for (const [name, value] of new URLSearchParams(url.slice(start + 1))) query[name] ??= value;
  return query;
}
