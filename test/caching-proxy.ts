import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

type Stored = { status: number; headers: Record<string, string>; body: Buffer; freshUntil: number };

export type CachingProxy = {
  url: string;
  /** Answers given from the cache. */
  hits: number;
  /** Answers kept. */
  stored: number;
  stop(): Promise<void>;
};

/** Statuses that a cache may keep although nothing says for how long (RFC 9110, 15.1). */
const HEURISTIC = new Set([200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501]);
/** What a cache assumes then. */
const HEURISTIC_MS = 3_600_000;

/**
 * A private HTTP cache in front of a server, as RFC 9111 has it: it keeps what it may, by URL and
 * credentials, and answers from what it kept while that is fresh.
 *
 * @param options.ignoresNoStore to see what a server would do that forgot the header.
 */
export async function startCachingProxy(
  upstream: string,
  { ignoresNoStore = false } = {},
): Promise<CachingProxy> {
  const cache = new Map<string, Stored>();

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const key = `${request.headers.authorization ?? ""} ${request.url}`;
    const kept = request.method === "GET" ? cache.get(key) : undefined;
    if (kept && kept.freshUntil > Date.now()) {
      proxy.hits += 1;
      response.writeHead(kept.status, kept.headers).end(kept.body);
      return;
    }
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { authorization, "content-type": contentType } = request.headers;
    const got = await fetch(upstream + request.url, {
      method: request.method,
      headers: {
        ...(authorization && { authorization }),
        ...(contentType && { "content-type": contentType }),
      },
      body: chunks.length > 0 ? Buffer.concat(chunks) : undefined,
    });
    const body = Buffer.from(await got.arrayBuffer());
    const headers = Object.fromEntries(
      [...got.headers].filter(
        ([name]) => !/^(transfer-encoding|connection|content-length|content-encoding)$/.test(name),
      ),
    );
    const freshMs = freshness(got, ignoresNoStore);
    if (request.method === "GET" && freshMs > 0) {
      proxy.stored += 1;
      cache.set(key, { status: got.status, headers, body, freshUntil: Date.now() + freshMs });
    }
    response.writeHead(got.status, headers).end(body);
  }

  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", () => listening()));
  const proxy: CachingProxy = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    hits: 0,
    stored: 0,
    stop: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
  return proxy;
}

/** Milliseconds for which an answer may be kept. */
function freshness({ status, headers }: Response, ignoresNoStore: boolean): number {
  const control = headers.get("cache-control") ?? "";
  if (!ignoresNoStore && /\b(no-store|no-cache)\b/.test(control)) return 0;
  const maxAge = /\bmax-age=(\d+)/.exec(control)?.[1];
  if (maxAge !== undefined) return Number(maxAge) * 1000;
  return HEURISTIC.has(status) ? HEURISTIC_MS : 0;
}
