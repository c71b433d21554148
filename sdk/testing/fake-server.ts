import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { refuse, send } from "./answers.ts";
import { FakeFeed } from "./fake-feed.ts";
import { FakeLog } from "./fake-log.ts";

export const TOKEN = "tdm_test";

export type Received = { method: string; path: string; query: URLSearchParams; bytes: number };
/** Answers a request instead of the server, and says so. */
export type Fault = (request: IncomingMessage, response: ServerResponse, received: Received) => boolean;

/** A real HTTP server that behaves as the wire's description says, and misbehaves when it is told to. */
export class FakeServer {
  readonly log = new FakeLog();
  readonly feed = new FakeFeed();
  readonly requests: Received[] = [];
  /** Asked in turn before each request; one that answered is used up. */
  readonly faults: Fault[] = [];
  /** So many requests are carried out, and then the connection is lost instead of the answer sent. */
  answersToLose = 0;
  readonly #server: Server;

  constructor() {
    this.#server = createServer((request, response) => void this.#handle(request, response));
  }

  static async start(): Promise<FakeServer> {
    const fake = new FakeServer();
    await new Promise<void>((listening) => fake.#server.listen(0, "127.0.0.1", listening));
    return fake;
  }

  get url(): string {
    const { port } = this.#server.address() as AddressInfo;
    return `http://127.0.0.1:${port}`;
  }

  /** The options that every call needs. */
  get access() {
    return { url: this.url, token: TOKEN };
  }

  async stop(): Promise<void> {
    this.log.stop();
    this.#server.closeAllConnections();
    await new Promise((closed) => this.#server.close(closed));
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "", "http://localhost");
    const body = await readBody(request);
    const received = {
      method: request.method ?? "",
      path: url.pathname,
      query: url.searchParams,
      bytes: body.length,
    };
    this.requests.push(received);
    if (this.faults[0]?.(request, response, received)) {
      this.faults.shift();
      return;
    }
    if (request.headers.authorization !== `Bearer ${TOKEN}`) return refuse(response, 401, "unauthenticated");
    const at = `${received.method} ${url.pathname}`;
    if (at === "GET /api/v1/changes") {
      const gone = new AbortController();
      response.on("close", () => gone.abort());
      return send(response, await this.log.pull(url.searchParams, gone.signal));
    }
    if (at === "GET /api/v1/feeds/feed_1") return send(response, { status: 200, body: this.feed.describe() });
    if (at === "POST /api/v1/feeds/feed_1/documents") {
      const answer = this.feed.ingest(body);
      if (this.answersToLose === 0) return send(response, answer);
      this.answersToLose -= 1;
      response.destroy();
      return;
    }
    refuse(response, 404, "not_found");
  }
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  return Buffer.concat(pieces);
}
