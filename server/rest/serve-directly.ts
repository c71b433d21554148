import { db } from "@/server/db";
import { createRestApp } from "./app";

const shared = globalThis as typeof globalThis & {
  __tidemarkRest?: (request: Request, bindings: object) => Response | Promise<Response>;
};

/**
 * Leaves the REST API where scripts/serve.mjs finds it. The server then hands it requests for /api/v1
 * without Next's router, tracing and web streams in between, which cost as much as a whole ingest call
 * of 50 documents (bench/ingest.ts). Under any other server the same app answers from app/api/v1.
 */
export function serveRestDirectly(): void {
  const app = createRestApp(db);
  shared.__tidemarkRest = (request, bindings) => app.fetch(request, bindings);
}
