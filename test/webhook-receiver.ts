import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach } from "vitest";

export type Received = { path: string; headers: Record<string, string>; body: string };
export type Answer = (request: Received, response: ServerResponse) => void;

export type Receiver = {
  url: string;
  /** In the order in which they came in. */
  received: Received[];
  /** Requests open right now, and the most there were. */
  open: number;
  mostOpen: number;
  /** By path, else the default; 204 unless told otherwise. */
  answer(how: Answer, path?: string): void;
};

/** A real receiver of webhooks on loopback. Call it at the top of a file; it forgets between tests. */
export function useReceiver(): Receiver {
  const answers = new Map<string, Answer>();
  const receiver: Receiver = {
    url: "",
    received: [],
    open: 0,
    mostOpen: 0,
    answer: (how, path = "*") => void answers.set(path, how),
  };
  const server = createServer((request, response) => {
    void read(request).then((received) => {
      receiver.received.push(received);
      receiver.open += 1;
      receiver.mostOpen = Math.max(receiver.mostOpen, receiver.open);
      response.once("close", () => {
        receiver.open -= 1;
      });
      const how = answers.get(received.path) ?? answers.get("*");
      if (how) how(received, response);
      else response.writeHead(204).end();
    });
  });
  beforeAll(async () => {
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  beforeEach(() => {
    answers.clear();
    receiver.received.length = 0;
    receiver.mostOpen = 0;
  });
  afterAll(async () => {
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  });
  return receiver;
}

/** Answers with this status and body. */
export function says(status: number, body = "", headers: Record<string, string> = {}): Answer {
  return (_, response) => void response.writeHead(status, headers).end(body);
}

async function read(request: IncomingMessage): Promise<Received> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return {
    path: request.url ?? "",
    headers: request.headers as Record<string, string>,
    body: Buffer.concat(chunks).toString("utf8"),
  };
}
