import { z } from "@hono/zod-openapi";
import { createSource } from "@/server/sources/create-source";
import { deleteSource } from "@/server/sources/delete-source";
import { getSource } from "@/server/sources/get-source";
import { listSources } from "@/server/sources/list-sources";
import { pauseSource } from "@/server/sources/pause-source";
import { resumeSource } from "@/server/sources/resume-source";
import { createNamedSourceInput, listSourcesInput, updateSourceInput } from "@/server/sources/schema";
import { syncSource } from "@/server/sources/sync-source";
import { updateSource } from "@/server/sources/update-source";
import { defineRoute } from "../define-route";
import { pageQuery } from "../query";
import { feedSchema, pageOf, sourceObject, sourceSchema } from "../schemas";

const tag = "Sources";
const source = { description: "The source", schema: sourceSchema };
const withFeeds = sourceObject.extend({ feeds: z.array(feedSchema) });

export const sourceRoutes = [
  defineRoute({
    method: "get",
    path: "/sources",
    scope: "sources:read",
    tag,
    summary: "List sources",
    query: listSourcesInput.extend(pageQuery),
    responses: { 200: { description: "A page of sources", schema: pageOf(sourceSchema) } },
    run: async ({ db, caller, query }) => ({ status: 200, body: await listSources(db, caller, query) }),
  }),
  defineRoute({
    method: "post",
    path: "/sources",
    scope: "sources:write",
    tag,
    summary: "Create or ensure a source",
    description:
      "With `key` an existing source of that key is returned (200). `feeds` ensures feeds in the same call; they are in the answer, in their order.",
    body: createNamedSourceInput,
    responses: {
      201: { description: "Created", schema: withFeeds },
      200: { description: "It was there", schema: withFeeds },
    },
    run: async ({ db, caller, body }) => {
      const { source, created } = await createSource(db, caller, body);
      return { status: created ? 201 : 200, body: source };
    },
  }),
  defineRoute({
    method: "get",
    path: "/sources/{sourceId}",
    scope: "sources:read",
    tag,
    summary: "Get a source",
    responses: { 200: source },
    run: async ({ db, caller, params }) => ({ status: 200, body: await getSource(db, caller, params) }),
  }),
  defineRoute({
    method: "patch",
    path: "/sources/{sourceId}",
    scope: "sources:write",
    tag,
    summary: "Change a source",
    body: updateSourceInput,
    responses: { 200: source },
    run: async ({ db, caller, params, body }) => ({
      status: 200,
      body: await updateSource(db, caller, { ...body, ...params }),
    }),
  }),
  defineRoute({
    method: "delete",
    path: "/sources/{sourceId}",
    scope: "sources:write",
    tag,
    summary: "Delete a source",
    description: "Every document becomes a tombstone in the change feed.",
    responses: { 204: { description: "Done" }, 202: { ...source, description: "Goes on in the background" } },
    run: async ({ db, caller, params }) => {
      const left = await deleteSource(db, caller, params);
      return left ? { status: 202, body: left } : { status: 204 };
    },
  }),
  defineRoute({
    method: "post",
    path: "/sources/{sourceId}/pause",
    scope: "sources:write",
    tag,
    summary: "Pause a source",
    responses: { 200: source },
    run: async ({ db, caller, params }) => ({ status: 200, body: await pauseSource(db, caller, params) }),
  }),
  defineRoute({
    method: "post",
    path: "/sources/{sourceId}/resume",
    scope: "sources:write",
    tag,
    summary: "Resume a source",
    responses: { 200: source },
    run: async ({ db, caller, params }) => ({ status: 200, body: await resumeSource(db, caller, params) }),
  }),
  defineRoute({
    method: "post",
    path: "/sources/{sourceId}/sync",
    scope: "runs:write",
    tag,
    summary: "Sync all feeds of a source now",
    responses: {
      200: {
        description: "The source, and the runs that were started or joined",
        schema: sourceObject.extend({
          runs: z.array(z.object({ feedId: z.string(), runId: z.string(), joined: z.boolean() })),
        }),
      },
    },
    run: async ({ db, caller, params }) => ({ status: 200, body: await syncSource(db, caller, params) }),
  }),
];
