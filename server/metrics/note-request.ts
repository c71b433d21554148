import { log } from "@/server/log";
import { requestIdOf } from "@/server/request-id";
import { metrics } from "./metrics";

const METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

export type AnsweredRequest = {
  requestId: string;
  method: string;
  /** Without its query, which may hold anything. */
  path: string;
  status: number;
  /** On performance.now()'s clock. */
  startedAt: number;
};

/**
 * Logs and counts an answered API request.
 *
 * @param route The pattern (`/api/v1/feeds/{feedId}`), never the address itself: it becomes a label.
 */
export function noteRequest(route: string, { startedAt, ...facts }: AnsweredRequest): void {
  const ms = performance.now() - startedAt;
  log.debug({ ...facts, ms: Math.round(ms) }, "request");
  const { requests, requestSeconds } = metrics();
  const method = METHODS.has(facts.method) ? facts.method : "other";
  requests.inc({ route, method, status: String(facts.status) });
  requestSeconds.observe({ route, method }, ms / 1000);
}

/** A route handler that notes what it answers. */
export function measured<Arguments extends [Request, ...unknown[]]>(
  route: string,
  handle: (...args: Arguments) => Promise<Response>,
): (...args: Arguments) => Promise<Response> {
  return async (...args) => {
    const startedAt = performance.now();
    const { method, headers, url } = args[0];
    const note = (status: number) => {
      const path = new URL(url).pathname;
      noteRequest(route, { requestId: requestIdOf(headers), method, path, status, startedAt });
    };
    try {
      const response = await handle(...args);
      note(response.status);
      return response;
    } catch (error) {
      note(500); // what Next answers for us
      throw error;
    }
  };
}
