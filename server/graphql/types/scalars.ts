import { GraphQLError, Kind, type ValueNode, valueFromASTUntyped } from "graphql";
import { builder } from "../builder";

/** Whatever JSON can say, from variables and literals alike; the use case judges it, as it judges REST's. */
const anything = {
  serialize: (value: unknown) => value as never,
  parseValue: (value: unknown) => value,
  parseLiteral: (node: ValueNode, variables?: Record<string, unknown> | null) =>
    toJson(node, variables ?? null),
};

builder.scalarType("JSON", { description: "Any JSON value.", ...anything });
builder.scalarType("DateTime", { description: "RFC 3339, UTC.", ...anything });
builder.scalarType("Cursor", {
  description:
    "A feed's position: a string (RFC 3339 for `date`), or for `idSet` also an object. A bare number is refused: readers round it.",
  ...anything,
});
builder.scalarType("Key", {
  description:
    "A string, or an integer of at most 2^53 (a larger one was rounded on its way; send a string).",
  ...anything,
});

// No input type: what does not fit one is quoted in the error, password and all.
builder.scalarType("Credentials", {
  description:
    'What an upstream wants to see: `{ type: "basic", username: "…", password: "…" }` or `{ type: "bearer", token: "…" }`.',
  ...anything,
});

/** As JSON.parse would have read it: plain objects, numbers rounded the same way. */
function toJson(node: ValueNode, variables: Record<string, unknown> | null): unknown {
  if (node.kind === Kind.OBJECT) {
    return Object.fromEntries(node.fields.map(({ name, value }) => [name.value, toJson(value, variables)]));
  }
  if (node.kind === Kind.LIST) return node.values.map((value) => toJson(value, variables));
  // Number() and not parseInt: 9007199254740993 must round as it does in JSON, 1e3 is a number too.
  if (node.kind === Kind.INT || node.kind === Kind.FLOAT) return Number(node.value);
  if (node.kind === Kind.ENUM) {
    throw new GraphQLError("A string must be quoted.", { nodes: node }); // it may be a password
  }
  // A variable that was not sent is an absent member, as undefined is to JSON.
  return valueFromASTUntyped(node, variables);
}
