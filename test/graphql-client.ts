import type { AddressInfo } from "node:net";
import { type ServerType, serve } from "@hono/node-server";
import { afterAll, beforeAll } from "vitest";
import { SCOPES, type Scope } from "@/server/access/principal";
import { createToken } from "@/server/access/tokens";
import type { Caller } from "@/server/actor";
import type { Db } from "@/server/db";
import { createGraphqlHandler } from "@/server/graphql/handle-request";

export type GraphqlAnswer = {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers as JSON of any shape
  data: any;
  // biome-ignore lint/suspicious/noExplicitAny: likewise
  errors: any[];
};

/** The GraphQL API behind a real socket. Call it after `useDatabase` at the top of a file. */
export function useGraphqlServer(database: { db: Db }): { url: string } {
  const handle = {} as { url: string };
  let server: ServerType;
  beforeAll(async () => {
    const fetch = createGraphqlHandler(() => database.db);
    await new Promise<void>((listening) => {
      server = serve({ fetch, hostname: "127.0.0.1", port: 0 }, listening as () => void);
    });
    handle.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/graphql`;
  });
  afterAll(async () => {
    if ("closeAllConnections" in server) server.closeAllConnections();
    await new Promise<void>((closed) => void server.close(() => closed()));
  });
  return handle;
}

/** Asks as the bearer of a token, or with whatever headers are given. */
export class GraphqlClient {
  constructor(
    readonly url: string,
    readonly token: string | null,
    readonly headers: Record<string, string> = {},
  ) {}

  static async create(url: string, db: Db, caller: Caller, scopes: readonly Scope[] = SCOPES) {
    const { token } = await createToken(db, caller, { name: "test", scopes });
    return new GraphqlClient(url, token);
  }

  ask(query: string, variables?: Record<string, unknown>): Promise<GraphqlAnswer> {
    return this.send(JSON.stringify({ query, variables }));
  }

  async send(body: string | Uint8Array, headers: Record<string, string> = {}): Promise<GraphqlAnswer> {
    const response = await fetch(this.url, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        ...(this.token && { authorization: `Bearer ${this.token}` }),
        ...this.headers,
        ...headers,
      },
      body: body as string,
    });
    const { data, errors = [] } = (await response.json()) as { data?: unknown; errors?: unknown[] };
    return { status: response.status, headers: response.headers, data, errors };
  }
}
