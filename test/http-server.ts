import type { AddressInfo } from "node:net";
import { type ServerType, serve } from "@hono/node-server";
import { afterAll, beforeAll } from "vitest";
import type { Db } from "@/server/db";
import { createHub, type LiveHub, setHub } from "@/server/live/hub";
import { createRestApp } from "@/server/rest/app";

/**
 * The REST app over real HTTP, with a live hub of its own. Call it after `useDatabase` at the top of a file.
 */
export function useHttpServer(database: { db: Db; url: string }): { origin: string; hub: LiveHub } {
  const handle = {} as { origin: string; hub: LiveHub };
  let server: ServerType;

  beforeAll(async () => {
    handle.hub = createHub(database.db, () => database.url);
    setHub(database.db, handle.hub);
    const app = createRestApp(() => database.db);
    await new Promise<void>((listening) => {
      server = serve({ fetch: app.fetch, hostname: "127.0.0.1", port: 0 }, listening as () => void);
    });
    handle.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1`;
  });
  afterAll(async () => {
    await handle.hub.close();
    if ("closeAllConnections" in server) server.closeAllConnections();
    await new Promise<void>((closed) => void server.close(() => closed()));
  });
  return handle;
}
