import { enter, leave } from "@/server/access/concurrency";
import type { Principal } from "@/server/access/principal";
import { enforceRateLimit, rateLimitHeaders } from "@/server/access/rate-limit";
import { refuseQueryToken } from "@/server/access/token-spelling";
import type { Db } from "@/server/db";
import { AppError } from "@/server/errors";
import { noteRequest } from "@/server/metrics/note-request";
import { requestIdOf } from "@/server/request-id";
import { answerRefusal } from "./answer";
import { describeError, refusal } from "./errors";
import { executeQuery, GRAPHQL_PATH } from "./execute-query";
import { answerGraphiql } from "./graphiql";
import { findPerson, identify } from "./identify";
import { readParams } from "./read-params";

/** The GraphQL API as a function from Request to Response. `getDb` is asked per request. */
export function createGraphqlHandler(getDb: () => Db): (request: Request) => Promise<Response> {
  return async (request) => {
    const requestId = requestIdOf(request.headers);
    const startedAt = performance.now();
    const response = await answer(getDb, request, requestId);
    const { method } = request;
    noteRequest(GRAPHQL_PATH, { requestId, method, path: GRAPHQL_PATH, status: response.status, startedAt });
    return response;
  };
}

async function answer(getDb: () => Db, request: Request, requestId: string): Promise<Response> {
  const { headers } = request;
  const accept = headers.get("accept");
  try {
    refuseQueryToken(request.url);
    if (request.method === "GET" && accept?.includes("text/html")) {
      return await answerGraphiql(await findPerson(getDb(), headers), requestId);
    }
    if (request.method !== "POST") return refuseMethod(request.method, { requestId, accept });
    const db = getDb();
    const principal = await identify(db, headers);
    const response = await answerKnown(db, principal, request, requestId);
    for (const [name, value] of Object.entries(rateLimitHeaders(principal)))
      response.headers.set(name, value);
    return response;
  } catch (error) {
    return answerRefusal(describeError(error, requestId), { requestId, accept });
  }
}

/** A query of someone who may ask something; before this nothing of it was read. */
async function answerKnown(
  db: Db,
  principal: Principal,
  request: Request,
  requestId: string,
): Promise<Response> {
  const accept = request.headers.get("accept");
  let placeOf: string | null = null;
  try {
    await enforceRateLimit(db, principal);
    if (principal.tokenId !== null) {
      enter(principal.tokenId);
      placeOf = principal.tokenId;
    }
    const asked = await readParams(request);
    const caller = { ...principal.caller, requestId };
    const context = { db, principal, caller, requestId, calls: 0 };
    return await executeQuery(asked, context, { accept, signal: request.signal });
  } catch (error) {
    // Nobody reads the answer any more; a half-read body is no fault of the server.
    if (request.signal.aborted && !(error instanceof AppError)) return new Response(null, { status: 499 });
    return answerRefusal(describeError(error, requestId), { requestId, accept });
  } finally {
    if (placeOf !== null) leave(placeOf);
  }
}

function refuseMethod(method: string, facts: { requestId: string; accept: string | null }): Response {
  const { requestId } = facts;
  const message = `${method} is not possible here. Send queries and mutations with POST; GET shows GraphiQL to a signed-in browser.`;
  const refused = refusal({ code: "method_not_allowed", message, status: 405, requestId });
  return answerRefusal(refused, facts, { allow: "GET, POST" });
}
