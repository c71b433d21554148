import { beforeAll, describe, expect, it } from "vitest";
import type { Scope } from "@/server/access/principal";
import { exampleOf } from "@/server/graphql/example-operations";
import { createGraphqlHandler } from "@/server/graphql/handle-request";
import { graphqlOperations } from "@/server/graphql/schema";
import { useDatabase } from "@/test/database";
import { createCaller } from "@/test/factories";
import { type Callers, createCallers } from "./callers";
import { checkOperation, type Operation } from "./check-operation";
import { createForeignWorkspace, type Ids, readAll } from "./foreign-workspace";

/** The status as HTTP would say it: GraphQL answers 200 with a code in it once it knows who asks. */
const STATUS: Record<string, number> = {
  forbidden: 403,
  not_found: 404,
  feed_not_found: 404,
  document_not_found: 404,
  unauthenticated: 401,
};

type Row = [scope: Scope, ok: number];

/** What each operation needs and answers. An operation without a row fails the test. */
const ROWS: Record<string, Row> = {
  source: ["sources:read", 404],
  sources: ["sources:read", 200],
  feed: ["sources:read", 404],
  feeds: ["sources:read", 404],
  cursorTransitions: ["sources:read", 404],
  rejections: ["documents:read", 404],
  document: ["documents:read", 404],
  documentByExternalId: ["documents:read", 404],
  documents: ["documents:read", 404],
  syncRun: ["runs:read", 404],
  syncRuns: ["runs:read", 404],
  changes: ["changes:read", 404],
  changeHead: ["changes:read", 200],
  createSource: ["sources:write", 200],
  addFeed: ["sources:write", 404],
  resetFeed: ["sources:write", 404],
  ingestDocuments: ["documents:write", 404],
  startSyncRun: ["runs:write", 404],
  heartbeatSyncRun: ["runs:write", 404],
  restartSyncRun: ["runs:write", 404],
  finishSyncRun: ["runs:write", 404],
};

const t = useDatabase();
let handle: ReturnType<typeof createGraphqlHandler>;
let callers: Callers;
let foreign: { workspaceId: number; ids: Ids };
let before: unknown;
beforeAll(async () => {
  handle = createGraphqlHandler(() => t.db);
  foreign = await createForeignWorkspace(t.db);
  callers = await createCallers(t.db, await createCaller(t.db));
  before = await readAll(t.db, foreign.workspaceId);
});

function operationOf(operation: (typeof graphqlOperations)[number]): Operation {
  const row = ROWS[operation.name];
  if (!row) throw new Error(`Say in ${import.meta.filename} what ${operation.name} needs and answers.`);
  const [scope, status] = row;
  return {
    name: operation.name,
    scope,
    ok: status,
    foreign: status,
    async call(headers, { sourceId, feedId, documentId, runId }) {
      const query = exampleOf(operation, { src: sourceId, feed: feedId, doc: documentId, run: runId });
      const response = await handle(
        new Request("http://localhost/api/graphql", {
          method: "POST",
          headers: { "content-type": "application/json", ...headers },
          body: JSON.stringify({ query }),
        }),
      );
      const text = await response.text();
      const { errors = [] } = JSON.parse(text) as { errors?: { extensions: { code: string } }[] };
      const code = errors[0]?.extensions.code;
      const inner = code === undefined ? 200 : (STATUS[code] ?? 0);
      // Who is not known is told so by HTTP as well.
      return { status: inner === 401 && response.status !== 401 ? 0 : inner, text };
    },
  };
}

describe("GraphQL", () => {
  it.each(graphqlOperations.map((operation) => [operation.name, operation] as const))(
    "%s answers everyone as it should",
    (_, operation) => checkOperation(operationOf(operation), callers, foreign.ids, { sessions: true }),
  );

  it("has no row for what is not there, and has left the other workspace alone", async () => {
    const names = graphqlOperations.map(({ name }) => name);
    expect(Object.keys(ROWS).filter((name) => !names.includes(name))).toEqual([]);
    expect(await readAll(t.db, foreign.workspaceId)).toEqual(before);
  });
});
