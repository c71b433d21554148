import SchemaBuilder from "@pothos/core";
import type { Scope } from "@/server/access/principal";
import type { GraphqlContext } from "./context";

/** Collects the schema; `schema.ts` imports whatever adds to it and builds it. */
export const builder = new SchemaBuilder<{
  Context: GraphqlContext;
  DefaultFieldNullability: false;
  Scalars: {
    ID: { Input: string; Output: string };
    /** RFC 3339. */
    DateTime: { Input: unknown; Output: string };
    JSON: { Input: unknown; Output: unknown };
    Credentials: { Input: unknown; Output: never };
    /** A string, or an object for `idSet`. */
    Cursor: { Input: unknown; Output: string };
    /** A string, or an integer that JSON carries exactly. */
    Key: { Input: unknown; Output: string };
  };
}>({ defaultFieldNullability: false });

// Their fields are nullable: one operation that fails must not take the answers of the others with it,
// which for mutations have been carried out.
builder.queryType({ description: "Each field is one call and needs the scope that its description names." });
builder.mutationType({
  description:
    "Each field is one call and needs the scope that its description names. Several are carried out one after the other; each stands alone.",
});

/** Put on every root field; guard-operations.ts refuses a schema with one that lacks it. */
export function needs(scope: Scope, description: string) {
  return {
    nullable: true as const,
    description: `${description} Scope: \`${scope}\`.`,
    extensions: { scope },
  };
}
