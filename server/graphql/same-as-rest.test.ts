import {
  type GraphQLField,
  type GraphQLType,
  getNamedType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
} from "graphql";
import { beforeAll, describe, expect, it } from "vitest";
import { useDatabase } from "@/test/database";
import { RestClient } from "@/test/rest-client";
import { graphqlOperations, schema } from "./schema";

type Json = Record<string, unknown>;
type Twin = {
  /** REST's operation of the same use case. */
  rest: string;
  /** Its parameter under GraphQL's name. */
  named?: Record<string, string>;
  /** What only REST takes, and why. */
  less?: Record<string, string>;
};

const TWINS: Record<string, Twin> = {
  source: { rest: "get /sources/{sourceId}", named: { sourceId: "id" } },
  sources: { rest: "get /sources" },
  feed: { rest: "get /feeds/{feedId}", named: { feedId: "id" } },
  feeds: { rest: "get /sources/{sourceId}/feeds" },
  cursorTransitions: { rest: "get /feeds/{feedId}/cursor-transitions" },
  rejections: { rest: "get /feeds/{feedId}/rejections" },
  document: { rest: "get /documents/{documentId}", named: { documentId: "id" } },
  documentByExternalId: {
    rest: "get /feeds/{feedId}/documents/by-external-id",
    named: { id: "externalId" },
  },
  documents: { rest: "get /feeds/{feedId}/documents" },
  syncRun: { rest: "get /runs/{runId}", named: { runId: "id" } },
  syncRuns: { rest: "get /runs" },
  changes: {
    rest: "get /changes",
    less: { wait: "a query that waits would hold the others in its request" },
  },
  changeHead: { rest: "get /changes/head" },
  createSource: { rest: "post /sources" },
  addFeed: { rest: "post /sources/{sourceId}/feeds" },
  resetFeed: { rest: "post /feeds/{feedId}/reset" },
  ingestDocuments: { rest: "post /feeds/{feedId}/documents" },
  startSyncRun: { rest: "post /feeds/{feedId}/runs" },
  heartbeatSyncRun: { rest: "post /runs/{runId}/heartbeat" },
  restartSyncRun: { rest: "post /runs/{runId}/restart" },
  finishSyncRun: { rest: "post /runs/{runId}/finish" },
};

const t = useDatabase();
let document: Json;
beforeAll(async () => {
  document = (await new RestClient(t.db, null).get("/openapi.json")).body;
});

type RestOperation = {
  parameters?: { name: string; schema: Json }[];
  requestBody?: { content: Record<string, { schema: Json }> };
  responses: Record<string, { content?: Record<string, { schema: Json }> }>;
};

function restOperation(name: string): RestOperation {
  const [method = "", path = ""] = name.split(" ");
  const paths = document.paths as Record<string, Record<string, RestOperation>>;
  const operation = paths[`/api/v1${path}`]?.[method];
  if (!operation) throw new Error(`REST has no ${name}`);
  return operation;
}

/** A schema's parts: references followed, all branches, `null` among them. */
function parts(part: Json): Json[] {
  if (typeof part.$ref === "string") {
    const [, name = ""] = part.$ref.split("#/components/schemas/");
    const { schemas } = document.components as { schemas: Record<string, Json> };
    return parts(schemas[name] ?? {});
  }
  const branches = [part.anyOf, part.oneOf, part.allOf].flatMap((list) => (list as Json[] | undefined) ?? []);
  return [part, ...branches.flatMap(parts)];
}

/** The members of an object, or of a list's objects. */
function membersOf(part: Json): Record<string, Json> {
  const all = parts(part);
  const items = all.flatMap(({ items }) => (items ? parts(items as Json) : []));
  return Object.assign({}, ...[...all, ...items].map(({ properties }) => properties ?? {}));
}

/** What the one has and the other has not, however deep; where GraphQL says JSON, anything goes. */
function differences(type: GraphQLType, part: Json, at = ""): { missing: string[]; extra: string[] } {
  const named = getNamedType(type);
  if (!isInputObjectType(named) && !isObjectType(named) && !isInterfaceType(named))
    return { missing: [], extra: [] };
  const members = membersOf(part);
  const fields = named.getFields();
  const missing = Object.keys(members)
    .filter((name) => !(name in fields))
    .map((name) => `${at}${name}`);
  const extra = Object.keys(fields)
    .filter((name) => !(name in members))
    .map((name) => `${at}${name}`);
  for (const [name, member] of Object.entries(members)) {
    const field = fields[name];
    if (!field) continue;
    const inner = differences(field.type, member, `${at}${name}.`);
    missing.push(...inner.missing);
    extra.push(...inner.extra);
  }
  return { missing, extra };
}

function fieldOf({ kind, name }: (typeof graphqlOperations)[number]): GraphQLField<unknown, unknown> {
  const root = kind === "query" ? schema.getQueryType() : schema.getMutationType();
  const field = root?.getFields()[name];
  if (!field) throw new Error(`no ${kind} ${name}`);
  return field;
}

function twinOf(name: string): Twin {
  const twin = TWINS[name];
  if (!twin) throw new Error(`Say in ${import.meta.filename} which operation of REST ${name} is.`);
  return twin;
}

describe("an operation of both", () => {
  it.each(graphqlOperations.map((operation) => [operation.name, operation] as const))(
    "%s takes what REST takes",
    (name, operation) => {
      const { rest, named = {}, less = {} } = twinOf(name);
      const { parameters = [], requestBody } = restOperation(rest);
      const taken: Record<string, Json> = Object.fromEntries(
        parameters.map((parameter) => [named[parameter.name] ?? parameter.name, parameter.schema]),
      );
      Object.assign(taken, membersOf(requestBody?.content["application/json"]?.schema ?? {}));
      const { args } = fieldOf(operation);
      const names = args.map((arg) => arg.name);
      expect(names.sort()).toEqual(
        Object.keys(taken)
          .filter((arg) => !(arg in less))
          .sort(),
      );
      for (const arg of args) {
        expect(differences(arg.type, taken[arg.name] ?? {}), arg.name).toEqual({ missing: [], extra: [] });
      }
    },
  );

  it.each(graphqlOperations.map((operation) => [operation.name, operation] as const))(
    "%s answers all that REST answers",
    (name, operation) => {
      const { responses } = restOperation(twinOf(name).rest);
      const good = responses[200] ?? responses[201];
      const answered = good?.content?.["application/json"]?.schema;
      if (!answered) throw new Error(`${name} answers nothing`);
      expect(differences(fieldOf(operation).type, answered).missing).toEqual([]);
    },
  );
});
