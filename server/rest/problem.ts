import { STATUS_CODES } from "node:http";
import { AppError, type ErrorCode, type FieldError, HTTP_STATUS } from "@/server/errors";
import { log } from "@/server/log";
import { asUnavailable } from "@/server/transaction";

/** Codes that only the transport itself gives: no use case throws them. */
type TransportCode = "internal_error" | "method_not_allowed";

/** RFC 9457. Members of `AppError.info.extra` stand beside these. */
export type Problem = {
  type: string;
  title: string;
  status: number;
  detail: string;
  code: ErrorCode | TransportCode;
  requestId: string;
  errors?: FieldError[];
};

export type RequestFacts = { requestId: string; method: string; path: string };

/** Turns whatever was thrown into an answer; what nobody expected goes to the log whole, and only there. */
export function toProblemResponse(error: unknown, request: RequestFacts): Response {
  const known = error instanceof AppError ? error : asUnavailable(error);
  if (!known) {
    log.error({ err: error, ...request }, "unexpected error");
    const detail = `Something went wrong. The server's log knows it by the request id ${request.requestId}.`;
    return problemResponse({ code: "internal_error", status: 500, detail }, request);
  }
  if (known.code === "unavailable") log.warn({ err: known.cause ?? known, ...request }, "unavailable");
  else log.debug({ code: known.code, details: known.info.details, ...request }, "refused");
  const { fields, retryAfterSeconds, extra } = known.info;
  return problemResponse(
    {
      ...extra,
      code: known.code,
      status: known.info.status ?? HTTP_STATUS[known.code],
      detail: known.message,
      ...(fields && { errors: fields }),
    },
    request,
    retryAfterSeconds === undefined
      ? {}
      : { "retry-after": String(Math.max(1, Math.ceil(retryAfterSeconds))) },
  );
}

export function methodNotAllowed(request: RequestFacts, allowed: string[]): Response {
  const detail = `${request.method} is not possible here, only ${allowed.join(", ")}.`;
  return problemResponse({ code: "method_not_allowed", status: 405, detail }, request, {
    allow: allowed.join(", "),
  });
}

function problemResponse(
  problem: Omit<Problem, "type" | "title" | "requestId"> & Record<string, unknown>,
  { requestId }: RequestFacts,
  headers: Record<string, string> = {},
): Response {
  // about:blank: the status says it all, and then the title is the status's own phrase (RFC 9457 §4.2.1).
  const { code, status, detail, ...rest } = problem;
  const title = STATUS_CODES[status] ?? "Error";
  const body: Problem = { type: "about:blank", title, status, detail, code, requestId, ...rest };
  return new Response(JSON.stringify(body), {
    status,
    headers: {
      "content-type": "application/problem+json",
      "cache-control": "no-store",
      "x-request-id": requestId,
      // RFC 7694: what would have been understood.
      ...(status === 415 && { "accept-encoding": "gzip" }),
      ...(status === 401 && { "www-authenticate": 'Bearer realm="tidemark"' }),
      ...headers,
    },
  });
}
