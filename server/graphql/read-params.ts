import { AppError, type FieldError } from "@/server/errors";
import { readJson } from "@/server/rest/read-body";

/** What a request asks, as https://graphql.github.io/graphql-over-http names it. */
export type QueryParams = {
  query: string;
  variables: Record<string, unknown>;
  operationName: string | undefined;
};

/**
 * The body of a request.
 *
 * @throws AppError malformed_json, body_too_large; invalid_request for another content type (a form of
 *   another site can send those without asking first), for a batch, and for what is no query.
 */
export async function readParams(request: Request): Promise<QueryParams> {
  const [type] = (request.headers.get("content-type") ?? "").split(";");
  if (type?.trim().toLowerCase() !== "application/json") {
    throw new AppError("invalid_request", "Send the query as JSON, with Content-Type: application/json.");
  }
  const body = await readJson(request);
  if (Array.isArray(body)) {
    throw new AppError(
      "invalid_request",
      "Several requests in one are not taken. Send them one by one, or ask for several fields.",
    );
  }
  if (!isObject(body)) {
    throw refuse({ path: "", code: "invalid_type", message: "The body must be an object with `query`." });
  }
  const { query, variables, operationName } = body;
  if (typeof query !== "string" || query.trim() === "") {
    throw refuse({ path: "query", code: "invalid_type", message: "`query` must be the text of a query." });
  }
  if (variables != null && !isObject(variables)) {
    throw refuse({ path: "variables", code: "invalid_type", message: "`variables` must be an object." });
  }
  if (operationName != null && typeof operationName !== "string") {
    throw refuse({
      path: "operationName",
      code: "invalid_type",
      message: "`operationName` must be a string.",
    });
  }
  return { query, variables: variables ?? {}, operationName: operationName ?? undefined };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function refuse(field: FieldError): AppError {
  return new AppError("invalid_request", field.message, { fields: [field] });
}
