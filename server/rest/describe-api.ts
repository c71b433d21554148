import { STATUS_CODES } from "node:http";
import type { OpenAPIHono } from "@hono/zod-openapi";
import { VERSION } from "@/server/version";
import type { Route } from "./define-route";
import { notes } from "./reference/all-notes";
import answers from "./reference/answers.json";
import { ERROR_TEXTS, type RestCode, statusOf } from "./reference/error-texts";
import { EXAMPLE_IDS, type Example } from "./reference/notes";
import { systemOperations } from "./reference/system-operations";

type Media = { schema?: object; example?: unknown };
type Response = { description: string; headers?: object; content?: Record<string, Media> };
type Operation = {
  description?: string;
  operationId?: string;
  parameters?: { name: string; in: string; example?: unknown }[];
  requestBody?: { content: Record<string, Media> };
  responses: Record<string, Response>;
};
type Paths = Record<string, Record<string, Operation>>;

const HEADERS = {
  "X-Request-Id": "What the server's log knows this request by: yours, if it was harmless, else a new one",
  "RateLimit-Limit": "Requests in a burst",
  "RateLimit-Remaining": "What is left of it",
  "RateLimit-Reset": "Seconds until all of it is back",
  "RateLimit-Policy": "The burst and the seconds it fills in",
  "Retry-After": "Seconds to wait",
};
const ALWAYS = [
  "X-Request-Id",
  "RateLimit-Limit",
  "RateLimit-Remaining",
  "RateLimit-Reset",
  "RateLimit-Policy",
];

/**
 * The OpenAPI document: what the routes' schemas say, with what reference/ adds: units, the codes each
 * operation can answer, an example with its answer.
 */
export function describeApi(app: OpenAPIHono, routes: readonly Route[]): object {
  const document = app.getOpenAPI31Document({
    openapi: "3.1.0",
    info: {
      title: "Tidemark",
      version: VERSION,
      description:
        "A sync store: push documents, or let it pull them; it never loses its place. Times are RFC 3339 UTC, ids and versions strings, 64-bit numbers strings. Unknown body fields are ignored, unknown query parameters refused. Bodies may be sent with `Content-Encoding: gzip`. Every error is a problem document (RFC 9457) whose `code` is the stable part.",
      license: { name: "MIT" },
    },
  });
  const paths = (document.paths ?? {}) as Paths;
  for (const route of routes) {
    const operation = paths[`/api/v1${route.path}`]?.[route.method];
    if (operation) complete(operation, route);
  }
  return {
    ...document,
    paths: { ...paths, ...systemOperations },
    components: {
      ...document.components,
      headers: Object.fromEntries(
        Object.entries(HEADERS).map(([name, description]) => [
          name,
          { description, schema: { type: "string" } },
        ]),
      ),
    },
  };
}

/** The name of a route in notes and answers. */
export function nameOf(route: Pick<Route, "method" | "path">): string {
  return `${route.method} ${route.path}`;
}

/** Every code that an operation can answer with. */
export function codesOf(route: Route): RestCode[] {
  const codes: RestCode[] = ["unauthenticated", "forbidden"];
  if (route.path.includes("{feedId}")) codes.push("feed_not_found");
  if (/\{(?!feedId)/.test(route.path)) codes.push("not_found");
  codes.push("invalid_request"); // whatever it takes: a parameter that it does not know
  if (route.body) codes.push("malformed_json", "body_too_large", "unsupported_encoding");
  codes.push(...(notes[nameOf(route)]?.errors ?? []), "rate_limited", "internal_error", "unavailable");
  return [...new Set(codes)];
}

function complete(operation: Operation, route: Route): void {
  const note = notes[nameOf(route)];
  const parts = [route.description, note?.about, `Scope: \`${route.scope}\`.`];
  operation.description = parts.filter(Boolean).join("\n\n");
  operation.operationId = operationId(route);
  // Errors have them too; said once, or nobody would find anything else.
  for (const response of Object.values(operation.responses)) response.headers = headersOf(ALWAYS);
  addErrors(operation, route);
  if (note) addExample(operation, note.example, (answers as Record<string, unknown>)[nameOf(route)]);
}

function addErrors(operation: Operation, route: Route): void {
  // What a route itself says of a status is said by its codes, in one form for all.
  for (const code of codesOf(route)) {
    // The change feed refuses its cursors with 400, feeds theirs with 422 (server/changes/cursor.ts).
    const isChangeCursor = code === "cursor_invalid" && route.path.startsWith("/changes");
    const status = String(isChangeCursor ? 400 : statusOf(code));
    const line = `\`${code}\`: ${ERROR_TEXTS[code]}`;
    const known = operation.responses[status];
    const isOurs = known?.content?.["application/problem+json"] !== undefined;
    operation.responses[status] = {
      description: isOurs ? `${known.description}\n\n${line}` : line,
      ...(status === "429" && { headers: headersOf(["Retry-After"]) }),
      content: isOurs ? known.content : problemContent(code, Number(status)),
    };
  }
}

function problemContent(code: RestCode, status: number): Record<string, Media> {
  const title = STATUS_CODES[status] ?? "Error";
  const requestId = "req_6f1d2c3b4a5968778695a4b3";
  const detail = ERROR_TEXTS[code].replaceAll("`", "");
  const example = { type: "about:blank", title, status, detail, code, requestId };
  return { "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" }, example } };
}

function addExample(operation: Operation, example: Example, answer: unknown): void {
  const values: Record<string, unknown> = { ...EXAMPLE_IDS, ...example.params, ...example.query };
  for (const parameter of operation.parameters ?? []) {
    if (values[parameter.name] !== undefined) parameter.example = values[parameter.name];
  }
  const sent = operation.requestBody?.content["application/json"];
  if (sent && example.body !== undefined) sent.example = example.body;
  const response = operation.responses[String(example.status)];
  if (!response) return;
  // The one operation whose answer is no JSON: the stream of changes.
  if (response.description === "text/event-stream") {
    response.content = { "text/event-stream": { schema: { type: "string" }, example: answer } };
  }
  const got = response.content?.["application/json"];
  if (got && answer !== undefined) got.example = answer;
}

function headersOf(names: string[]): object {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** `get /feeds/{feedId}/documents` → getFeedsByFeedIdDocuments: unique, and stays. */
function operationId({ method, path }: Route): string {
  const words = path.split(/[/-]/).map((part) => {
    const name = /^\{(\w+)\}$/.exec(part)?.[1];
    return name ? `By${capital(name)}` : capital(part);
  });
  return method + words.join("");
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
