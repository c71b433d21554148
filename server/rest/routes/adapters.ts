import { z } from "@hono/zod-openapi";
import { pageAdapters } from "@/server/sources/list-adapters";
import { defineRoute } from "../define-route";
import { pageQuery } from "../query";
import { adapterSchema, pageOf } from "../schemas";

export const adapterRoutes = [
  defineRoute({
    method: "get",
    path: "/adapters",
    scope: "sources:read",
    tag: "Adapters",
    summary: "List what this server can connect to",
    description: "With JSON Schema of a source's config, the watermark and what `externalKey` means.",
    query: z.object(pageQuery),
    responses: { 200: { description: "A page of adapters", schema: pageOf(adapterSchema) } },
    run: async ({ query }) => ({ status: 200, body: pageAdapters(query) }),
  }),
];
