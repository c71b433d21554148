import { z } from "@hono/zod-openapi";
import { AppError, type FieldError } from "@/server/errors";
import { requireFeed } from "@/server/feeds/get-feed";
import { listRejections } from "@/server/feeds/list-rejections";
import { isId } from "@/server/ids";
import { ingestDocuments } from "@/server/ingest/ingest-documents";
import { retryRejection } from "@/server/ingest/retry-rejection";
import { fenced } from "@/server/runs/heartbeat-run";
import { defineRoute } from "../define-route";
import { pageQuery } from "../query";
import { ingestBodySchema, ingestResultSchema, pageOf, rejectionSchema } from "../schemas";

type IngestBody = {
  documents: unknown[];
  cursor?: unknown;
  cursorBefore?: unknown;
  runId?: string;
  sourceId?: string;
};

/**
 * The frame of an ingest call alone: its items and cursors are checked by the use case, one by one.
 * A schema that only looks at the frame keeps zod from walking through fifty documents.
 */
const ingestFrame = z.unknown().transform((body) => {
  if (typeof body !== "object" || body === null || Array.isArray(body)) {
    throw refuse({ path: "", code: "invalid_type", message: "The body must be an object with `documents`." });
  }
  const { documents, cursor, cursorBefore, runId, sourceId } = body as Record<string, unknown>;
  if (!Array.isArray(documents)) {
    throw refuse({
      path: "documents",
      code: "invalid_type",
      message: "`documents` must be an array; it may be empty.",
    });
  }
  const frame: IngestBody = { documents, cursor, cursorBefore };
  if (runId !== undefined && runId !== null) frame.runId = requireText("runId", runId);
  if (sourceId !== undefined && sourceId !== null) frame.sourceId = requireText("sourceId", sourceId);
  return frame;
});

export const ingestRoutes = [
  defineRoute({
    method: "post",
    path: "/feeds/{feedId}/documents",
    scope: "documents:write",
    tag: "Ingest",
    summary: "Push up to 50 documents and a cursor",
    description:
      "Documents and cursor are committed together. The call is idempotent: send it again when its answer was lost.",
    body: ingestFrame,
    bodySchema: ingestBodySchema,
    responses: { 200: { description: "What became of them", schema: ingestResultSchema } },
    run: async ({ db, caller, params, body }) => {
      // What cannot be an id belongs to no run and no source.
      if (body.runId !== undefined && !isId("run", body.runId)) throw fenced();
      if (body.sourceId !== undefined && !isId("src", body.sourceId)) {
        throw new AppError("feed_not_found", "There is no such feed in this source.");
      }
      return { status: 200, body: await ingestDocuments(db, caller, { ...body, feedId: params.feedId }) };
    },
  }),
  defineRoute({
    method: "get",
    path: "/feeds/{feedId}/rejections",
    scope: "documents:read",
    tag: "Rejections",
    summary: "List items that could not be stored, newest first",
    query: z.object(pageQuery),
    responses: { 200: { description: "A page of rejections", schema: pageOf(rejectionSchema) } },
    run: async ({ db, caller, params, query }) => ({
      status: 200,
      body: await listRejections(db, caller, { ...query, ...params }),
    }),
  }),
  defineRoute({
    method: "post",
    path: "/feeds/{feedId}/rejections/{rejectionId}/retry",
    scope: "documents:write",
    tag: "Rejections",
    summary: "Send a rejected item again",
    description: "As it was kept, or as `document` says.",
    body: z.object({ document: z.unknown().optional() }).optional(),
    responses: { 200: { description: "What became of it", schema: ingestResultSchema } },
    run: async ({ db, caller, params, body }) => {
      await requireFeed(db, caller, params.feedId);
      return { status: 200, body: await retryRejection(db, caller, { ...params, document: body?.document }) };
    },
  }),
];

function requireText(path: string, value: unknown): string {
  if (typeof value === "string") return value;
  throw refuse({ path, code: "invalid_type", message: `\`${path}\` must be a string.` });
}

function refuse(field: FieldError): AppError {
  return new AppError("invalid_request", field.message, { fields: [field] });
}
