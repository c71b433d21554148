import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

export type Upstream = {
  /** `http://127.0.0.1:port`, without a trailing slash. */
  origin: string;
  /** What was asked, in order. */
  requests: { method: string; path: string; headers: IncomingMessage["headers"] }[];
};

/** A real HTTP server on loopback for the running test; closed, connections and all, when it ends. */
export async function startUpstream(handle: RequestListener): Promise<Upstream> {
  const requests: Upstream["requests"] = [];
  const server = createServer((request, response) => {
    requests.push({ method: request.method ?? "", path: request.url ?? "", headers: request.headers });
    handle(request, response);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  onTestFinished(
    () =>
      new Promise<void>((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  );
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests };
}

/** Networks tests may reach. */
export const LOOPBACK = ["127.0.0.0/8", "::1/128"];
