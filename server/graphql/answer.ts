import type { ExecutionResult } from "graphql";
import { describeError, type Refusal } from "./errors";

/** More would only bury the first ones. */
const MAX_ERRORS = 20;

/** Opened in a browser, an answer may neither run, load nor be framed. */
const POLICY = "default-src 'none'; frame-ancestors 'none'";

/** What became of a query that was carried out, or refused. */
export function answerResult(
  { data, errors = [] }: Pick<ExecutionResult, "data" | "errors">,
  { requestId, accept }: { requestId: string; accept: string | null },
): Response {
  const refusals = errors.slice(0, MAX_ERRORS).map((error) => describeError(error, requestId));
  return toResponse(refusals, data ?? undefined, { requestId, accept });
}

/** A request that did not come as far as a query. */
export function answerRefusal(
  refused: Refusal,
  facts: { requestId: string; accept: string | null },
  headers: Record<string, string> = {},
): Response {
  return toResponse([refused], undefined, facts, headers);
}

function toResponse(
  refusals: Refusal[],
  data: Record<string, unknown> | undefined,
  { requestId, accept }: { requestId: string; accept: string | null },
  headers: Record<string, string> = {},
): Response {
  const [first] = refusals;
  // As long as one call was answered, the answer is one, and its errors say which others were not.
  const hasAnswer = data !== undefined && Object.values(data).some((value) => value !== null);
  const status = first === undefined || hasAnswer ? 200 : first.status;
  const retryAfter = refusals.find(
    ({ retryAfterSeconds }) => retryAfterSeconds !== undefined,
  )?.retryAfterSeconds;
  const body = {
    ...(data !== undefined && { data }),
    ...(refusals.length > 0 && { errors: refusals.map(({ error }) => error) }),
  };
  const isNewType = accept?.includes("application/graphql-response+json") ?? false;
  return new Response(JSON.stringify(body), {
    status,
    headers: {
      "content-type": `application/${isNewType ? "graphql-response+json" : "json"}; charset=utf-8`,
      "cache-control": "no-store",
      "content-security-policy": POLICY,
      "x-request-id": requestId,
      ...(retryAfter !== undefined && { "retry-after": String(Math.max(1, Math.ceil(retryAfter))) }),
      ...(status === 401 && { "www-authenticate": 'Bearer realm="tidemark"' }),
      ...headers,
    },
  });
}
