import { type GraphQLSchema, isEnumType, isIntrospectionType, Kind } from "graphql";

/** Lets `status: "failed"` stand for `status: failed` in a query's text, as it does in variables and in REST's JSON. */
export function acceptQuotedEnums(schema: GraphQLSchema): GraphQLSchema {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isEnumType(type) || isIntrospectionType(type)) continue;
    const parseName = type.parseLiteral.bind(type);
    type.parseLiteral = (node, variables) =>
      node.kind === Kind.STRING ? type.parseValue(node.value) : parseName(node, variables);
  }
  return schema;
}
