import { metrics } from "./metrics";

const METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/**
 * Counts an answered API request.
 *
 * @param route The pattern (`/api/v1/feeds/{feedId}`), never the address itself.
 * @param startedAt On performance.now()'s clock.
 */
export function noteRequest(
  route: string,
  { method, status, startedAt }: { method: string; status: number; startedAt: number },
): void {
  const { requests, requestSeconds } = metrics();
  const known = METHODS.has(method) ? method : "other";
  requests.inc({ route, method: known, status: String(status) });
  requestSeconds.observe({ route, method: known }, (performance.now() - startedAt) / 1000);
}

/** A route handler that counts what it answers. */
export function measured<Arguments extends [Request, ...unknown[]]>(
  route: string,
  handle: (...args: Arguments) => Promise<Response>,
): (...args: Arguments) => Promise<Response> {
  return async (...args) => {
    const startedAt = performance.now();
    const response = await handle(...args);
    noteRequest(route, { method: args[0].method, status: response.status, startedAt });
    return response;
  };
}
