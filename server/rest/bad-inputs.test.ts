import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { workerFor } from "@/server/jobs/worker";
import { nearly } from "@/test/arbitrary-of-schema";
import { useDatabase } from "@/test/database";
import { type ExampleWorkspace, makeExampleWorkspace } from "@/test/example-workspace";
import { type ApiDescription, readApiDescription } from "@/test/openapi-check";
import { RestClient } from "@/test/rest-client";
import { createRestApp, routes } from "./app";
import type { Route } from "./define-route";
import { codesOf, nameOf } from "./describe-api";

process.env.TIDEMARK_ALLOW_PRIVATE_NETWORKS = "127.0.0.0/8";

/** Generated requests per operation. */
const TRIES = 25;

const t = useDatabase();
const upstream = createServer((_, response) => void response.writeHead(204).end());
let description: ApiDescription;
let origin: string;
let workspace: ExampleWorkspace;
let ids: Record<string, string>;

beforeAll(async () => {
  await new Promise<void>((listening) => upstream.listen(0, "127.0.0.1", listening));
  origin = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`;
  description = readApiDescription((await new RestClient(t.db, null).get("/openapi.json")).body);
});
afterAll(async () => {
  await workerFor(t.db).stop();
  upstream.closeAllConnections();
  await new Promise((closed) => upstream.close(closed));
});

/** Without the examples' own ids: those that there are. */
async function readIds(): Promise<Record<string, string>> {
  const where = { workspaceId: workspace.caller.workspaceId };
  const feed = await t.db.feed.findFirstOrThrow({ where: { ...where, externalKey: "default" } });
  return {
    sourceId: feed.sourceId,
    feedId: feed.id,
    documentId: (await t.db.document.findFirstOrThrow({ where })).id,
    runId: (await t.db.syncRun.findFirstOrThrow({ where })).id,
    rejectionId: (await t.db.rejectedDocument.findFirstOrThrow({ where })).id,
    holdId: "hold_01jz0000000000000000000000",
    webhookId: (await t.db.webhookEndpoint.findFirstOrThrow({ where })).id,
    deliveryId: (await t.db.webhookDelivery.findFirstOrThrow({ where })).id,
  };
}

type Operation = {
  parameters?: { name: string; in: string; schema: Record<string, unknown> }[];
  requestBody?: { content: Record<string, { schema: Record<string, unknown> }> };
};

/** Paths, queries and bodies that nearly are what the document says. */
function requestsOf(route: Route): fc.Arbitrary<{ path: string; query: string; body: string | undefined }> {
  const paths = description.document.paths as Record<string, Record<string, Operation>>;
  const operation = paths[`/api/v1${route.path}`]?.[route.method] as Operation;
  const names = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? "");
  const params = fc.tuple(
    ...names.map((name) =>
      fc.oneof(
        { weight: 6, arbitrary: fc.constant(ids[name] ?? "") },
        {
          weight: 1,
          arbitrary: fc.constantFrom("src_01jz0000000000000000000000", "%00", "x", "%ff", "..%2f"),
        },
      ),
    ),
  );
  const schema = operation.requestBody?.content["application/json"]?.schema;
  const body = schema
    ? fc.oneof(
        { weight: 9, arbitrary: nearly(description.document, schema).map((value) => JSON.stringify(value)) },
        { weight: 1, arbitrary: fc.constantFrom("{", "", "null", "[]", '{"a":1e999}', "\u0000") },
      )
    : fc.constant(undefined);
  const queries = (operation.parameters ?? []).filter((parameter) => parameter.in === "query");
  const query = fc.tuple(
    ...queries.map(({ name, schema: of }) =>
      // A wait that is valid would be waited for.
      name === "wait"
        ? fc.constantFrom("wait=-1", "wait=x", "wait=0", "")
        : fc
            .option(nearly(description.document, of))
            .map((value) => (value === null ? "" : `${name}=${encodeURIComponent(asText(value))}`)),
    ),
  );
  return fc.record({
    path: params.map((values) =>
      names.reduce((path, name, i) => path.replace(`{${name}}`, values[i] ?? ""), route.path),
    ),
    query: query.map((parts) => parts.filter(Boolean).join("&")),
    body,
  });
}

function asText(value: unknown): string {
  return (typeof value === "string" ? value : JSON.stringify(value)).toWellFormed();
}

describe("whatever is sent", () => {
  for (const route of routes) {
    it(`${nameOf(route)} answers as documented and never 500`, async () => {
      // Of its own: some operations delete.
      workspace = await makeExampleWorkspace(t.db, new Map(), origin);
      ids = await readIds();
      const app = createRestApp(() => t.db);
      await fc.assert(
        fc.asyncProperty(requestsOf(route), async ({ path, query, body }) => {
          const response = await app.request(`/api/v1${path}?${query}`, {
            method: route.method.toUpperCase(),
            headers: { authorization: `Bearer ${workspace.api.token}`, "content-type": "application/json" },
            body,
          });
          const { status, headers } = response;
          if (headers.get("content-type")?.includes("event-stream"))
            return void (await response.body?.cancel());
          const text = await response.text();
          const answer = text === "" ? null : JSON.parse(text);
          expect(status, text).toBeLessThan(500);
          description.expectAnswer(route, { status, headers, body: answer });
          if (status >= 400) expect(codesOf(route), text).toContain(answer.code);
        }),
        { numRuns: TRIES, endOnFailure: true },
      );
    });
  }
});
