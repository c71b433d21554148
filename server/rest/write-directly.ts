import type { ServerResponse } from "node:http";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";

/** What @hono/node-server hands to an app beside the request; absent under any other server and in tests. */
type NodeBindings = { outgoing?: ServerResponse };

/**
 * Writes a JSON answer to the socket without a Response around it: the server would take it apart again,
 * by way of a web stream, which costs 0.2 ms. That is more than a small page of changes takes to read,
 * and a commit that wakes a thousand polls pays it a thousand times.
 *
 * @returns null when there is no node response to write to, and for HEAD: Hono makes an answer of its own of
 *   whatever it gets, which would be a second one.
 */
export function writeDirectly(
  bindings: unknown,
  status: number,
  headers: Record<string, string>,
  json: string | Buffer,
): Response | null {
  const outgoing = (bindings as NodeBindings | undefined)?.outgoing;
  if (!outgoing || outgoing.req.method === "HEAD") return null;
  outgoing.writeHead(status, { ...headers, "content-length": Buffer.byteLength(json) });
  outgoing.end(json);
  return RESPONSE_ALREADY_SENT;
}
