import fc from "fast-check";

type Json = Record<string, unknown>;

/** What has broken parsers, clocks and databases before. */
const NASTY: readonly unknown[] = [
  null,
  true,
  -1,
  0.5,
  1e308,
  2 ** 53,
  -0,
  "",
  " ",
  "\u0000",
  "\ud800",
  "'; DROP TABLE documents; --",
  "2026-13-45T99:99:99Z",
  "0000-01-01T00:00:00Z",
  "9".repeat(40),
  "é".repeat(9000),
  "http://169.254.169.254/latest",
  [],
  {},
  [[[[]]]],
  { __proto__: null, constructor: { prototype: 1 }, $ref: "#" },
];

/**
 * Values that nearly fit a schema of the document: at every place, now and then, something that does not.
 */
export function nearly(document: Json, schema: Json, depth = 0): fc.Arbitrary<unknown> {
  if (depth > 6) return fc.constantFrom(...NASTY);
  return fc.oneof(
    { weight: 6, arbitrary: fitting(document, schema, depth) },
    { weight: 1, arbitrary: fc.constantFrom(...NASTY) },
  );
}

function fitting(document: Json, schema: Json, depth: number): fc.Arbitrary<unknown> {
  const branches = (schema.anyOf ?? schema.oneOf) as Json[] | undefined;
  if (typeof schema.$ref === "string") return fitting(document, follow(document, schema.$ref), depth);
  if (branches) return fc.oneof(...branches.map((branch) => nearly(document, branch, depth + 1)));
  if (Array.isArray(schema.enum)) return fc.constantFrom(...schema.enum);
  if ("const" in schema) return fc.constant(schema.const);
  const types = [schema.type ?? "object"].flat() as string[];
  return fc.oneof(...types.map((type) => ofType(document, { ...schema, type }, depth)));
}

function ofType(document: Json, schema: Json, depth: number): fc.Arbitrary<unknown> {
  switch (schema.type) {
    case "string":
      return fc.oneof(
        fc.string({ unit: "binary", maxLength: 40 }),
        fc.constantFrom("api", "2026-06-14T09:00:00Z", "7"),
      );
    case "integer":
    case "number":
      return fc.oneof(
        fc.integer({ min: Number(schema.minimum ?? -5), max: Number(schema.maximum ?? 100) }),
        fc.integer(),
      );
    case "boolean":
      return fc.boolean();
    case "null":
      return fc.constant(null);
    case "array":
      return fc.array(nearly(document, (schema.items as Json | undefined) ?? {}, depth + 1), {
        maxLength: 4,
      });
    default:
      return ofObject(document, schema, depth);
  }
}

function ofObject(document: Json, { properties, required }: Json, depth: number): fc.Arbitrary<unknown> {
  const members = Object.entries((properties ?? {}) as Record<string, Json>);
  if (members.length === 0) return fc.dictionary(fc.string({ maxLength: 5 }), fc.jsonValue({ maxDepth: 2 }));
  const must = (required ?? []) as string[];
  return fc
    .tuple(
      ...members.map(([name, schema]) =>
        fc.tuple(
          fc.constant(name),
          fc.integer({ min: 0, max: 9 }).map((n) => (must.includes(name) ? n > 0 : n > 4)),
          nearly(document, schema, depth + 1),
        ),
      ),
    )
    .map((chosen) =>
      Object.fromEntries(chosen.flatMap(([name, isThere, value]) => (isThere ? [[name, value]] : []))),
    );
}

function follow(document: Json, pointer: string): Json {
  return pointer
    .split("/")
    .slice(1)
    .reduce<unknown>((at, part) => (at as Json)[part.replaceAll("~1", "/")], document) as Json;
}
