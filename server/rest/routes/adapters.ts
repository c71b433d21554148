import { z } from "@hono/zod-openapi";
import { listAdapters } from "@/server/sources/list-adapters";
import { defineRoute } from "../define-route";
import { adapterSchema } from "../schemas";

export const adapterRoutes = [
  defineRoute({
    method: "get",
    path: "/adapters",
    scope: "sources:read",
    tag: "Adapters",
    summary: "List what this server can connect to",
    description:
      "With JSON Schema of a source's config, the watermark and what `externalKey` means. Not paged.",
    responses: {
      200: {
        description: "All adapters",
        schema: z.object({ items: z.array(adapterSchema), nextAfter: z.null() }),
      },
    },
    run: async () => ({ status: 200, body: { items: listAdapters(), nextAfter: null } }),
  }),
];
