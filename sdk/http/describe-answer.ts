import { type FieldProblem, TidemarkError } from "../errors.ts";
import { readRetryAfter } from "./retry-after.ts";

/**
 * What an answer says.
 *
 * @returns the JSON of a 2xx answer.
 * @throws TidemarkError for any other: the server's own code where it gives one.
 */
export function describeAnswer(response: Response, text: string): unknown {
  const isJson = /^application\/([\w.-]+\+)?json\b/i.test(response.headers.get("content-type") ?? "");
  const requestId = response.headers.get("x-request-id");
  const { status } = response;
  if (response.type === "opaqueredirect" || (status >= 300 && status < 400)) throw redirected(response);

  if (response.ok) {
    if (!isJson) {
      const message =
        "The answer is not JSON: something other than Tidemark answers at this address. Check `url`.";
      throw new TidemarkError("unexpected_answer", message, { status, requestId });
    }
    try {
      return JSON.parse(text);
    } catch (error) {
      // Cut off by something that closed the connection as if the answer were whole.
      const facts = { status, requestId, retryable: true };
      throw new TidemarkError("network_error", "The answer came incomplete.", facts, { cause: error });
    }
  }

  const problem = isJson ? readProblem(text) : null;
  const code = typeof problem?.code === "string" ? problem.code : codeOfStatus(status);
  const detail = typeof problem?.detail === "string" ? problem.detail : `The server answered ${status}.`;
  throw new TidemarkError(code, detail, {
    status,
    requestId: typeof problem?.requestId === "string" ? problem.requestId : requestId,
    fields: readFields(problem?.errors),
    retryable: status === 408 || status === 425 || status === 429 || status >= 500,
    retryAfterMs: readRetryAfter(
      response.headers.get("retry-after"),
      response.headers.get("date"),
      Date.now(),
    ),
    problem,
  });
}

function redirected(response: Response): TidemarkError {
  const location = response.headers.get("location");
  const to = location === null ? "somewhere else" : `to ${location.slice(0, 300)}`;
  return new TidemarkError(
    "unexpected_answer",
    `The server redirects ${to}. Requests that carry a token are not redirected: set \`url\` to the final address.`,
    { status: response.status || null },
  );
}

/** Answers without a code come from something in between, such as a proxy. */
function codeOfStatus(status: number): string {
  if (status === 401) return "unauthenticated";
  if (status === 403) return "forbidden";
  if (status === 413) return "body_too_large";
  if (status === 429) return "rate_limited";
  return status >= 500 || status === 408 ? "unavailable" : "unexpected_answer";
}

function readProblem(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : null;
  } catch {
    return null;
  }
}

function readFields(value: unknown): FieldProblem[] {
  if (!Array.isArray(value)) return [];
  return value.filter(isRecord).map((field) => ({
    path: String(field.path ?? ""),
    code: String(field.code ?? ""),
    message: String(field.message ?? ""),
  }));
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
