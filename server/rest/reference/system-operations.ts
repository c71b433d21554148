import { VERSION } from "@/server/version";

/**
 * Addresses outside the routes' table: health, metrics, exports, cron, this document. Written by hand, for they have no
 * schemas of their own; openapi.test.ts compares them with real answers.
 */

const EPOCH = "5f0c9d3e-6d0c-4e0e-9f5e-2d1b7c1a9a10";
const cronResult = {
  type: "object",
  required: ["claimed", "succeeded", "failed", "remaining", "elapsedMs"],
  properties: {
    claimed: { type: "integer", description: "Runs or tasks taken up" },
    succeeded: { type: "integer" },
    failed: { type: "integer" },
    remaining: { type: "integer", description: "Due, but not taken up in the time there was" },
    elapsedMs: { type: "integer", description: "Milliseconds" },
  },
};

const json = (description: string, schema: object, example: unknown) => ({
  description,
  content: { "application/json": { schema, example } },
});

const problem = (description: string) => ({
  description,
  content: { "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } } },
});

function cron(name: string, summary: string, description: string) {
  return {
    tags: ["Operations"],
    summary,
    description: `${description}\n\nBearer token: the value of \`CRON_SECRET\`, not an API token. GET does the same.`,
    security: [{ cron: [] }],
    responses: {
      200: json("What was done", cronResult, {
        claimed: 2,
        succeeded: 2,
        failed: 0,
        remaining: 0,
        elapsedMs: 840,
      }),
      401: problem("`unauthenticated`: the secret is missing or wrong, or the server has none."),
      500: problem("`internal_error`: a fault of the server; its log knows it by `requestId`."),
    },
    operationId: `cron${name}`,
  };
}

const sync = cron(
  "Sync",
  "Sync what is due",
  "For hosted schedulers, where TIDEMARK_SCHEDULER is `off`. Works for at most 50 seconds.",
);
const maintain = cron(
  "Maintain",
  "Do the maintenance that is due",
  "Ends abandoned runs, goes on with deletions, purges, delivers webhooks.",
);

export const systemOperations = {
  "/api/health": {
    get: {
      tags: ["Operations"],
      summary: "Is this process able to serve?",
      description:
        "Open to everyone. 503 while starting and without the database; waits for it 3 seconds at most.",
      security: [],
      operationId: "getHealth",
      responses: {
        200: json("It is", health("ok", true), {
          status: "ok",
          version: VERSION,
          database: "ok",
          epoch: EPOCH,
        }),
        503: json("Not now", health("unavailable", false), {
          status: "unavailable",
          version: VERSION,
          database: "unavailable",
        }),
      },
    },
  },
  "/api/metrics": {
    get: {
      tags: ["Operations"],
      summary: "This process's counters, and the store's gauges",
      description:
        "In Prometheus' text format; docs/metrics.md says what each metric means. Open to everyone where TIDEMARK_METRICS is `public`.\n\nScope: `admin`.",
      security: [{ bearer: [] }],
      operationId: "getMetrics",
      responses: {
        200: {
          description: "The metrics",
          content: {
            "text/plain": { schema: { type: "string" }, example: "tidemark_change_waiters 12\n" },
          },
        },
        401: problem("`unauthenticated`: the token is missing, unknown, expired or revoked."),
        403: problem("`forbidden`: the token lacks the scope `admin`."),
        429: problem("`rate_limited`: wait as long as `Retry-After` says."),
        500: problem("`internal_error`: a fault of the server; its log knows it by `requestId`."),
        503: problem("`unavailable`: without the database no token can be believed."),
      },
    },
  },
  "/api/export/{table}": {
    get: {
      tags: ["Operations"],
      summary: "A list as a file",
      description:
        "CSV in UTF-8 with a heading, at most 100,000 rows, with the filters and the order of the list's page; or all feeds as OPML. For a token, or for the signed-in person.\n\nScope: that of the list (`sources:read`, `runs:read`, `documents:read`, `admin` for tokens).",
      security: [{ bearer: [] }],
      operationId: "getExport",
      parameters: [
        {
          name: "table",
          in: "path",
          required: true,
          schema: { enum: ["sources", "feeds", "runs", "documents", "rejections", "tokens", "opml"] },
        },
      ],
      responses: {
        200: {
          description: "The file",
          content: {
            "text/csv": { schema: { type: "string" }, example: "id,type,name\r\n" },
            "text/x-opml": { schema: { type: "string" } },
          },
        },
        401: problem("`unauthenticated`: no token that holds, and nobody signed in."),
        403: problem("`forbidden`: the scope in `missingScope` is lacking."),
        404: problem("`not_found`: there is no such list."),
        422: problem("`invalid_request`: a filter is unknown or out of range."),
        429: problem("`rate_limited`: wait as long as `Retry-After` says."),
        500: problem("`internal_error`: a fault of the server; its log knows it by `requestId`."),
        503: problem("`unavailable`: starting, stopping, or without the database."),
      },
    },
  },
  "/api/v1/openapi.json": {
    get: {
      tags: ["Operations"],
      summary: "This document",
      description: "Open to everyone, and readable at `/docs`.",
      security: [],
      operationId: "getOpenapi",
      responses: { 200: json("OpenAPI 3.1", { type: "object" }, { openapi: "3.1.0" }) },
    },
  },
  "/api/cron/sync": { get: { ...sync, operationId: "getCronSync" }, post: sync },
  "/api/cron/maintain": { get: { ...maintain, operationId: "getCronMaintain" }, post: maintain },
};

function health(state: string, hasEpoch: boolean) {
  return {
    type: "object",
    required: ["status", "version", "database", ...(hasEpoch ? ["epoch"] : [])],
    properties: {
      status: { const: state },
      version: { type: "string" },
      database: { const: state },
      ...(hasEpoch && {
        epoch: { type: "string", description: "Changes when the store was put back to an earlier state" },
      }),
    },
  };
}
