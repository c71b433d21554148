import type { AddressInfo } from "node:net";
import { type ServerType, serve } from "@hono/node-server";
import { afterAll, beforeAll, expect, it } from "vitest";
import { SCOPES } from "@/server/access/principal";
import { createToken } from "@/server/access/tokens";
import type { Caller } from "@/server/actor";
import { createGraphqlHandler } from "@/server/graphql/handle-request";
import { ingestDocuments } from "@/server/ingest/ingest-documents";
import { createRestApp } from "@/server/rest/app";
import { useDatabase } from "@/test/database";
import { createCaller } from "@/test/factories";
import { createTrpcHandler } from "@/test/trpc-handler";
import { type Access, graphqlDriver, restDriver, sdkDriver, trpcDriver } from "./drivers";
import { readStored } from "./read-stored";
import { type Driver, OTHERS, type ReadBack } from "./story";

const t = useDatabase();
let server: ServerType;
let url: string;
beforeAll(async () => {
  const [rest, graphql, trpc] = [
    createRestApp(() => t.db).fetch,
    createGraphqlHandler(() => t.db),
    createTrpcHandler(t.db),
  ];
  const fetch = (request: Request) => {
    const { pathname } = new URL(request.url);
    if (pathname.startsWith("/api/trpc/")) return trpc(request);
    return pathname === "/api/graphql" ? graphql(request) : rest(request);
  };
  await new Promise<void>((listening) => {
    server = serve({ fetch, hostname: "127.0.0.1", port: 0 }, listening as () => void);
  });
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  if ("closeAllConnections" in server) server.closeAllConnections();
  await new Promise<void>((closed) => void server.close(() => closed()));
});

const DRIVERS = { rest: restDriver, graphql: graphqlDriver, trpc: trpcDriver, sdk: sdkDriver };

/** The whole story in a workspace of its own, and what is stored afterwards. */
async function tell(createDriver: (access: Access) => Driver) {
  const caller: Caller = await createCaller(t.db);
  const { token } = await createToken(t.db, caller, { name: "story", scopes: SCOPES });
  const driver = createDriver({ url, token });
  const sourceId = await driver.ensureSource();
  expect(await driver.ensureSource()).toBe(sourceId);
  const feedId = await driver.ensureFeed(sourceId);
  expect(await driver.ensureFeed(sourceId)).toBe(feedId);
  await driver.sync({ sourceId, feedId }, async () => {
    await ingestDocuments(t.db, caller, { feedId, ...OTHERS, cursorBefore: "4" });
  });
  return {
    readBack: await driver.readBack(feedId),
    stored: await readStored(t.db, caller.workspaceId),
  };
}

it("REST, GraphQL, tRPC and the package leave the very same rows behind", async () => {
  const told = new Map<string, Awaited<ReturnType<typeof tell>>>();
  for (const [name, createDriver] of Object.entries(DRIVERS)) told.set(name, await tell(createDriver));

  const rest = told.get("rest");
  const readBack: ReadBack = { cursor: "8", documentCount: 5, ids: expect.any(Array) };
  expect(rest?.readBack).toEqual(readBack);
  expect(rest?.readBack.ids.toSorted()).toEqual(["1", "2", "5", "6", "8"]);
  expect(rest?.stored.runs).toMatchObject([
    { status: "succeeded", executor: "api", trigger: "api", pages: 4, created: 4, updated: 1, rejected: 1 },
    { status: "succeeded", pages: 1, created: 1 },
  ]);
  expect(rest?.stored.transitions).toMatchObject([
    { from: null, to: "2", outcome: "advanced", conflict: false },
    { from: "2", to: "4", outcome: "advanced", conflict: false },
    { from: "4", to: "6", outcome: "advanced", conflict: false },
    { from: "6", to: "6", outcome: "kept", conflict: true },
    { from: "6", to: "8", outcome: "advanced", conflict: false },
  ]);
  for (const [name, { stored, readBack }] of told) {
    expect(stored, name).toEqual(rest?.stored);
    expect({ ...readBack, ids: readBack.ids.toSorted() }, name).toEqual({
      ...rest?.readBack,
      ids: rest?.readBack.ids.toSorted(),
    });
  }
});
