import { fetchRequestHandler } from "@trpc/server/adapters/fetch";
import { TRPC_ERROR_CODES_BY_KEY } from "@trpc/server/rpc";
import superjson from "superjson";
import { refuseQueryToken } from "@/server/access/token-spelling";
import { AppError } from "@/server/errors";
import { measured } from "@/server/metrics/note-request";
import { readBody } from "@/server/rest/read-body";
import { createContext } from "@/server/trpc/create-context";
import { appRouter } from "@/server/trpc/root";

export const dynamic = "force-dynamic";

const handle = measured("/api/trpc", answer);

async function answer(request: Request): Promise<Response> {
  try {
    // What people search for stands in `input`, and may look like anything.
    const url = new URL(request.url);
    url.searchParams.delete("input");
    refuseQueryToken(url);
  } catch (error) {
    if (error instanceof AppError) return refusal(error, "UNAUTHORIZED", 401);
    throw error;
  }
  const bounded = await boundBody(request);
  if (bounded instanceof Response) return bounded;
  const context = await createContext(request.headers);
  const response = await fetchRequestHandler({
    endpoint: "/api/trpc",
    req: bounded,
    router: appRouter,
    createContext: () => context,
  });
  // No transform: compressing would hold live events back until there are enough of them.
  response.headers.set("cache-control", "no-store, no-transform");
  response.headers.set("x-request-id", context.requestId);
  return response;
}

/** tRPC reads bodies of any size; this one stops at the same limit as REST. */
async function boundBody(request: Request): Promise<Request | Response> {
  if (request.method !== "POST") return request;
  try {
    const body = await readBody(request);
    return new Request(request.url, {
      method: "POST",
      headers: request.headers,
      body: new Uint8Array(body),
      signal: request.signal,
    });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return refusal(error, "PAYLOAD_TOO_LARGE", 413);
  }
}

/** The shape that tRPC's own errors have, so that clients read this one like them. */
function refusal(error: AppError, code: "PAYLOAD_TOO_LARGE" | "UNAUTHORIZED", httpStatus: 413 | 401) {
  const data = { code, httpStatus, appCode: error.code, fields: [], requestId: null, extra: {} };
  const shape = { message: error.message, code: TRPC_ERROR_CODES_BY_KEY[code], data };
  return Response.json({ error: superjson.serialize(shape) }, { status: httpStatus });
}

export { handle as GET, handle as POST };
