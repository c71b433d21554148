import type { AddressInfo } from "node:net";
import { type ServerType, serve } from "@hono/node-server";
import type { Db } from "@/server/db";
import { createRestApp } from "@/server/rest/app";

export type RestServer = { url: string; stop(): Promise<void> };

/**
 * The REST app behind a real socket, for clients that speak HTTP.
 *
 * @param before Awaited for each request before it is carried out: a test may hold it there.
 */
export async function startRestServer(
  db: Db,
  before: (request: Request) => Promise<unknown> | undefined = () => undefined,
): Promise<RestServer> {
  const app = createRestApp(() => db);
  const fetch = async (request: Request) => {
    await before(request);
    return app.fetch(request);
  };
  const server = await new Promise<ServerType>((listening) => {
    const started: ServerType = serve({ fetch, hostname: "127.0.0.1", port: 0 }, () => listening(started));
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () =>
      new Promise((closed) => {
        server.close(() => closed());
        // A test that failed may have left a request waiting.
        if ("closeAllConnections" in server) server.closeAllConnections();
      }),
  };
}
