import type { GraphQLSchema } from "graphql";
import type { Scope } from "@/server/access/principal";
import { acceptQuotedEnums } from "./accept-quoted-enums";
import { builder } from "./builder";
import { guardOperations } from "./guard-operations";
import "./types/scalars";
import "./operations/ingest";
import "./operations/own-runs";
import "./operations/sources";
import "./operations/feeds";
import "./operations/documents";
import "./operations/runs";
import "./operations/changes";

/** A root field and what it needs. */
export type GraphqlOperation = { kind: "query" | "mutation"; name: string; scope: Scope };

export const schema: GraphQLSchema = acceptQuotedEnums(builder.toSchema());

/** Every operation there is, read from the schema itself. */
export const graphqlOperations: readonly GraphqlOperation[] = guardOperations(schema);
