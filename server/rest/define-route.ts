import type { OpenAPIHono } from "@hono/zod-openapi";
import { z } from "@hono/zod-openapi";
import { authenticateToken } from "@/server/access/authenticate-token";
import { enter, leave } from "@/server/access/concurrency";
import { type Principal, requireScope, type Scope } from "@/server/access/principal";
import { enforceRateLimit, rateLimitHeaders } from "@/server/access/rate-limit";
import { refuseQueryToken } from "@/server/access/token-spelling";
import type { Caller } from "@/server/actor";
import type { Db } from "@/server/db";
import { AppError } from "@/server/errors";
import { noteRequest } from "@/server/metrics/note-request";
import { requestIdOf } from "@/server/request-id";
import { parse } from "./parse";
import { methodNotAllowed, toProblemResponse } from "./problem";
import { parametersOf, readQuery } from "./query";
import { readJson } from "./read-body";
import { problemSchema } from "./schemas";
import { writeDirectly } from "./write-directly";

export const BASE_PATH = "/api/v1";

/** Requests that wait, and hold nothing meanwhile: server/changes/waiters.ts counts them. */
const HAS_SEATS: ReadonlySet<string> = new Set(["/changes", "/changes/stream"]);

export type Method = "get" | "post" | "patch" | "delete";

/** Names in braces: `/feeds/{feedId}` → "feedId". */
type ParamsOf<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Record<Name, string> & ParamsOf<Rest>
  : unknown;

export type RouteInput<Path extends string, Query, Body> = {
  db: Db;
  principal: Principal;
  caller: Caller;
  params: ParamsOf<Path>;
  query: Query;
  body: Body;
  /** Aborted when the client went away. */
  signal: AbortSignal;
  /** A request header, null when it was not sent. */
  header(name: string): string | null;
  /** A HEAD request: nobody will read a body. */
  isHead: boolean;
};

export type RouteAnswer =
  | { status: 200 | 201 | 202; body: unknown }
  | { status: 204 }
  /** JSON already. */
  | { status: 200; json: string | Buffer }
  /** Server-sent events. */
  | { status: 200; events: ReadableStream<Uint8Array> };

export type Route<Path extends string = string, Query = unknown, Body = unknown> = {
  method: Method;
  /** Below BASE_PATH, parameters in braces. */
  path: Path;
  scope: Scope;
  tag: string;
  summary: string;
  description?: string;
  query?: z.ZodType<Query>;
  /** Parses the body. */
  body?: z.ZodType<Body>;
  /** Documents the body where `body` does not: the ingest call checks its items by itself. */
  bodySchema?: z.ZodType;
  responses: Record<number, { description: string; schema?: z.ZodType }>;
  run(input: RouteInput<Path, Query, Body>): Promise<RouteAnswer>;
};

/** Keeps the types of path, query and body together. */
export function defineRoute<const Path extends string, Query = undefined, Body = undefined>(
  route: Route<Path, Query, Body>,
): Route {
  return route as unknown as Route;
}

/**
 * Mounts a route: access, limits and parsing in this order, then the use case. Parsing is ours and
 * not the validator's of zod-openapi, so that every error has one format and the ingest path pays
 * for nothing it does not need.
 */
export function mountRoute(app: OpenAPIHono, getDb: () => Db, route: Route): void {
  documentRoute(app, route);
  const path = BASE_PATH + route.path.replaceAll("{", ":").replaceAll("}", "");
  const known = parametersOf(route.query);
  app.on(route.method.toUpperCase(), path, async (c) => {
    const request = c.req.raw;
    const requestId = requestIdOf(request.headers);
    const startedAt = performance.now();
    const params = c.req.param() as Record<string, string>;
    const { response, status } = await answer(getDb, route, {
      request,
      requestId,
      params,
      known,
      bindings: c.env,
    });
    const facts = { requestId, method: request.method, path: c.req.path };
    noteRequest(BASE_PATH + route.path, { ...facts, status, startedAt });
    return response;
  });
}

/** @returns also the status: a response that is on its way already has none of its own. */
async function answer(
  getDb: () => Db,
  route: Route,
  {
    request,
    requestId,
    params,
    known,
    bindings,
  }: {
    request: Request;
    requestId: string;
    params: Record<string, string>;
    known: readonly string[];
    bindings: unknown;
  },
): Promise<{ response: Response; status: number }> {
  let principal: Principal | undefined;
  let placeOf: string | null = null;
  try {
    if (request.url.includes("?")) refuseQueryToken(request.url);
    const db = getDb();
    principal = await authenticateToken(db, request.headers.get("authorization"));
    const wait = enforceRateLimit(db, principal);
    if (wait) await wait; // seldom: an await where there is nothing to wait for costs a turn
    if (principal.tokenId !== null && !HAS_SEATS.has(route.path)) {
      enter(principal.tokenId);
      placeOf = principal.tokenId;
    }
    requireScope(principal, route.scope);
    requireIds(params);
    const sent = readQuery(request.url, known);
    const query = route.query ? parse(route.query, sent) : undefined;
    const body = route.body ? parse(route.body, await readJson(request)) : undefined;
    const caller = { ...principal.caller, requestId };
    const result = await route.run({
      db,
      principal,
      caller,
      params,
      query,
      body,
      // Only a route that waits asks for it; making the signal costs a whole Request.
      get signal() {
        return request.signal;
      },
      header: (name) => request.headers.get(name),
      isHead: request.method === "HEAD",
    });
    const response = toResponse(result, rateLimitHeaders(principal), requestId, bindings);
    return { response, status: result.status };
  } catch (error) {
    // Nobody reads the answer any more; a half-read body is no fault of the server.
    if (request.signal.aborted && !(error instanceof AppError)) {
      return { response: new Response(null, { status: 499 }), status: 499 };
    }
    const facts = { requestId, method: request.method, path: new URL(request.url).pathname };
    const response = toProblemResponse(error, facts);
    if (principal) {
      for (const [name, value] of Object.entries(rateLimitHeaders(principal)))
        response.headers.set(name, value);
    }
    return { response, status: response.status };
  } finally {
    if (placeOf !== null) leave(placeOf);
  }
}

/** What cannot be an id exists nowhere; no query needs to be asked about it. */
function requireIds(params: Record<string, string>): void {
  for (const [name, value] of Object.entries(params)) {
    if (/^[a-z]{2,6}_[0-9a-z]{26}$/.test(value)) continue;
    throw name === "feedId"
      ? new AppError("feed_not_found", "There is no such feed in this workspace.")
      : new AppError("not_found", `There is no such ${name.replace(/Id$/, "")} in this workspace.`);
  }
}

function toResponse(
  answer: RouteAnswer,
  limits: Record<string, string>,
  requestId: string,
  bindings: unknown,
): Response {
  const headers = { ...limits, "cache-control": "no-store", "x-request-id": requestId };
  if (answer.status === 204) return new Response(null, { status: 204, headers });
  if ("events" in answer) {
    return new Response(answer.events, {
      headers: {
        ...headers,
        "content-type": "text/event-stream; charset=utf-8",
        // Compressing or buffering would hold events back until there are enough of them.
        "cache-control": "no-store, no-transform",
        "x-accel-buffering": "no",
      },
    });
  }
  const json = "json" in answer ? answer.json : JSON.stringify(answer.body);
  const jsonHeaders = { ...headers, "content-type": "application/json" };
  return (
    writeDirectly(bindings, answer.status, jsonHeaders, json) ??
    new Response(json as BodyInit, { status: answer.status, headers: jsonHeaders })
  );
}

/** Every path answers methods it does not have with a problem that names those it has. */
export function mountMethodNotAllowed(
  app: OpenAPIHono,
  routes: readonly Pick<Route, "method" | "path">[],
): void {
  const methods = new Map<string, string[]>();
  for (const { path, method } of routes) {
    const known = methods.get(path) ?? [];
    known.push(...(method === "get" ? ["GET", "HEAD"] : [method.toUpperCase()]));
    methods.set(path, known);
  }
  for (const [path, allowed] of methods) {
    app.all(BASE_PATH + path.replaceAll("{", ":").replaceAll("}", ""), (c) => {
      const { method, path: at } = c.req;
      const facts = { requestId: requestIdOf(c.req.raw.headers), method, path: at };
      noteRequest(BASE_PATH + path, { ...facts, status: 405, startedAt: performance.now() });
      return methodNotAllowed(facts, allowed);
    });
  }
}

function documentRoute(app: OpenAPIHono, route: Route): void {
  const names = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? "");
  const bodySchema = route.bodySchema ?? route.body;
  const responses = Object.fromEntries(
    Object.entries(route.responses).map(([status, { description, schema }]) => [
      status,
      { description, ...(schema && { content: { "application/json": { schema } } }) },
    ]),
  );
  app.openAPIRegistry.registerPath({
    method: route.method,
    path: BASE_PATH + route.path,
    tags: [route.tag],
    summary: route.summary,
    security: [{ bearer: [] }],
    request: {
      ...(names.length > 0 && {
        params: z.object(Object.fromEntries(names.map((name) => [name, z.string()]))),
      }),
      ...(route.query && { query: route.query as unknown as z.ZodObject }),
      ...(bodySchema && {
        body: { required: true, content: { "application/json": { schema: bodySchema } } },
      }),
    },
    responses: {
      ...responses,
      default: {
        description: "What went wrong, as RFC 9457 says it",
        content: { "application/problem+json": { schema: problemSchema } },
      },
    },
  });
}
