import { defaultFieldResolver, type GraphQLFieldResolver, type GraphQLSchema } from "graphql";
import { isScope, type Scope } from "@/server/access/principal";
import { authorise, type GraphqlContext } from "./context";
import type { GraphqlOperation } from "./schema";

/**
 * Puts the scope that a root field declares before its resolver.
 *
 * @returns what there is. A root field without a scope is a mistake of ours, and no schema is served then.
 */
export function guardOperations(schema: GraphQLSchema): GraphqlOperation[] {
  const roots = [
    { kind: "query" as const, type: schema.getQueryType() },
    { kind: "mutation" as const, type: schema.getMutationType() },
  ];
  return roots.flatMap(({ kind, type }) =>
    Object.values(type?.getFields() ?? {}).map((field) => {
      const { scope } = field.extensions;
      if (typeof scope !== "string" || !isScope(scope))
        throw new Error(`${kind} ${field.name} names no scope`);
      field.resolve = behind(scope, field.resolve ?? defaultFieldResolver);
      return { kind, name: field.name, scope };
    }),
  );
}

function behind(
  scope: Scope,
  resolve: GraphQLFieldResolver<unknown, GraphqlContext>,
): GraphQLFieldResolver<unknown, GraphqlContext> {
  return async (parent, args, context, info) => {
    await authorise(context, scope);
    return resolve(parent, args, context, info);
  };
}
