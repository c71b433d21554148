import { z } from "@hono/zod-openapi";
import { getRun } from "@/server/runs/get-run";
import { listRuns } from "@/server/runs/list-runs";
import { beginRun, endRun, renewRun, restartOwnRun } from "@/server/runs/own-run";
import { finishRunInput, listRunsInput, restartRunInput, startRunInput } from "@/server/runs/schema";
import { defineRoute } from "../define-route";
import { pageQuery } from "../query";
import { pageOf, runSchema, runWithEventsSchema } from "../schemas";

const tag = "Runs";

export const runRoutes = [
  defineRoute({
    method: "get",
    path: "/runs",
    scope: "runs:read",
    tag,
    summary: "List sync runs, newest first",
    query: listRunsInput.extend(pageQuery),
    responses: { 200: { description: "A page of runs", schema: pageOf(runSchema) } },
    run: async ({ db, caller, query }) => ({ status: 200, body: await listRuns(db, caller, query) }),
  }),
  defineRoute({
    method: "get",
    path: "/runs/{runId}",
    scope: "runs:read",
    tag,
    summary: "Get a run with what happened in it",
    responses: { 200: { description: "The run", schema: runWithEventsSchema } },
    run: async ({ db, caller, params }) => ({ status: 200, body: await getRun(db, caller, params) }),
  }),
  defineRoute({
    method: "post",
    path: "/feeds/{feedId}/runs",
    scope: "runs:write",
    tag,
    summary: "Start a run of your own code",
    description: "409 `run_active` names the run in progress.",
    body: startRunInput.optional().transform((body) => body ?? {}),
    bodySchema: startRunInput,
    responses: {
      201: {
        description: "Started",
        schema: z.object({
          runId: z.string(),
          leaseExpiresAt: z.string().nullable(),
          cursor: z.string().nullable(),
        }),
      },
    },
    run: async ({ db, caller, params, body }) => ({
      status: 201,
      body: await beginRun(db, caller, { ...body, ...params }),
    }),
  }),
  defineRoute({
    method: "post",
    path: "/runs/{runId}/heartbeat",
    scope: "runs:write",
    tag,
    summary: "Renew a run's lease",
    responses: { 200: { description: "Renewed", schema: z.object({ leaseExpiresAt: z.string() }) } },
    run: async ({ db, caller, params }) => ({ status: 200, body: await renewRun(db, caller, params) }),
  }),
  defineRoute({
    method: "post",
    path: "/runs/{runId}/restart",
    scope: "runs:write",
    tag,
    summary: "List from the beginning within this run",
    description: "For an upstream that forgot the position: a `date` or `idSet` cursor goes back to null.",
    body: restartRunInput,
    responses: {
      200: { description: "The cursor now", schema: z.object({ cursor: z.string().nullable() }) },
    },
    run: async ({ db, caller, params, body }) => ({
      status: 200,
      body: await restartOwnRun(db, caller, { ...body, ...params }),
    }),
  }),
  defineRoute({
    method: "post",
    path: "/runs/{runId}/finish",
    scope: "runs:write",
    tag,
    summary: "End a run",
    description:
      "`complete: true` says that this run listed everything from the beginning: what it did not bring is gone.",
    body: finishRunInput,
    responses: { 200: { description: "The run", schema: runWithEventsSchema } },
    run: async ({ db, caller, params, body }) => ({
      status: 200,
      body: await endRun(db, caller, { ...body, ...params }),
    }),
  }),
];
