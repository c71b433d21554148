import type { IncomingMessage, ServerResponse } from "node:http";

export type Answer = { status: number; body: Record<string, unknown> };

export function send(response: ServerResponse, { status, body }: Answer): void {
  if (response.destroyed) return;
  const type = status < 400 ? "application/json" : "application/problem+json";
  response.writeHead(status, { "content-type": type, "x-request-id": "req-1" }).end(JSON.stringify(body));
}

export function refuse(
  response: ServerResponse,
  status: number,
  code: string,
  headers: Record<string, string> = {},
): void {
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  send(response, problem(status, code));
}

export function problem(status: number, code: string, more: Record<string, unknown> = {}): Answer {
  return {
    status,
    body: { type: "about:blank", status, code, detail: `refused: ${code}`, requestId: "req-1", ...more },
  };
}

/** Cuts the connection in the middle of an answer. */
export function cutHalfway(_request: IncomingMessage, response: ServerResponse): true {
  response.writeHead(200, { "content-type": "application/json", "content-length": "1000" });
  response.write('{"changes":[', () => response.destroy());
  return true;
}

/** A fault that answers once as told. */
export function answering(
  status: number,
  type: string,
  body: string,
  headers: Record<string, string> = {},
): (request: IncomingMessage, response: ServerResponse) => true {
  return (_request, response) => {
    response.writeHead(status, { "content-type": type, ...headers }).end(body);
    return true;
  };
}

/** A fault that refuses once. */
export function refusing(
  status: number,
  code: string,
  headers: Record<string, string> = {},
): (request: IncomingMessage, response: ServerResponse) => true {
  return (_request, response) => {
    refuse(response, status, code, headers);
    return true;
  };
}

/** A fault that closes the connection without a word. */
export function hangUp(request: IncomingMessage): true {
  request.socket.destroy();
  return true;
}
