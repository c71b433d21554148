import { z } from "@hono/zod-openapi";
import { requireFeed } from "@/server/feeds/get-feed";
import { listHeldDeletes } from "@/server/feeds/list-held-deletes";
import { listTransitions } from "@/server/feeds/list-transitions";
import { resetFeedInput } from "@/server/feeds/schema";
import { resetCursor } from "@/server/ingest/reset-cursor";
import { approveHeldDelete, dismissHeldDelete } from "@/server/ingest/sweep";
import { defineRoute } from "../define-route";
import { pageQuery } from "../query";
import { heldDeleteSchema, pageOf, transitionSchema } from "../schemas";

export const cursorRoutes = [
  defineRoute({
    method: "post",
    path: "/feeds/{feedId}/reset",
    scope: "sources:write",
    tag: "Cursors",
    summary: "Reset a feed's cursor",
    description:
      "The only way a cursor goes back. With `dryRun` nothing changes and the answer says what would.",
    body: resetFeedInput,
    responses: {
      200: {
        description: "What was, or would be, done",
        schema: z.object({
          feedId: z.string(),
          from: z.string().nullable(),
          to: z.string().nullable(),
          dryRun: z.boolean(),
          transitionId: z.string().nullable(),
          documentsKept: z.int(),
          effect: z.string(),
        }),
      },
    },
    run: async ({ db, caller, params, body }) => ({
      status: 200,
      body: await resetCursor(db, caller, { ...body, ...params }),
    }),
  }),
  defineRoute({
    method: "get",
    path: "/feeds/{feedId}/cursor-transitions",
    scope: "sources:read",
    tag: "Cursors",
    summary: "List the moves of a feed's cursor, newest first",
    query: z.object(pageQuery),
    responses: { 200: { description: "A page of transitions", schema: pageOf(transitionSchema) } },
    run: async ({ db, caller, params, query }) => ({
      status: 200,
      body: await listTransitions(db, caller, { ...query, ...params }),
    }),
  }),
  defineRoute({
    method: "get",
    path: "/feeds/{feedId}/held-deletes",
    scope: "sources:read",
    tag: "Held deletes",
    summary: "List sweeps that wait for a decision",
    query: z.object(pageQuery),
    responses: { 200: { description: "A page of held deletes", schema: pageOf(heldDeleteSchema) } },
    run: async ({ db, caller, params, query }) => ({
      status: 200,
      body: await listHeldDeletes(db, caller, { ...query, ...params }),
    }),
  }),
  defineRoute({
    method: "post",
    path: "/feeds/{feedId}/held-deletes/{holdId}/approve",
    scope: "admin",
    tag: "Held deletes",
    summary: "Carry out a held sweep",
    description: "Documents that changed since it was held are spared.",
    responses: {
      200: { description: "Done", schema: z.object({ deleted: z.int(), spared: z.int() }) },
    },
    run: async ({ db, caller, params }) => ({
      status: 200,
      body: await approveHeldDelete(db, caller, params),
    }),
  }),
  defineRoute({
    method: "post",
    path: "/feeds/{feedId}/held-deletes/{holdId}/dismiss",
    scope: "admin",
    tag: "Held deletes",
    summary: "Keep the documents of a held sweep",
    responses: { 204: { description: "Done" } },
    run: async ({ db, caller, params }) => {
      await requireFeed(db, caller, params.feedId);
      await dismissHeldDelete(db, caller, params);
      return { status: 204 };
    },
  }),
];
