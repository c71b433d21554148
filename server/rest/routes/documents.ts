import { z } from "@hono/zod-openapi";
import { getDocument } from "@/server/documents/get-document";
import { getDocumentByExternalId } from "@/server/documents/get-document-by-external-id";
import { listDocuments } from "@/server/documents/list-documents";
import { defineRoute } from "../define-route";
import { pageQuery, queryBoolean } from "../query";
import { documentSchema, documentWithTextSchema, pageOf } from "../schemas";

const tag = "Documents";
const document = { description: "The document", schema: documentWithTextSchema };

export const documentRoutes = [
  defineRoute({
    method: "get",
    path: "/feeds/{feedId}/documents",
    scope: "documents:read",
    tag,
    summary: "List a feed's documents by their latest change",
    description: "Live documents without text; with `deleted=true` the tombstones instead.",
    query: z.object({
      deleted: queryBoolean.optional(),
      order: z.enum(["oldest", "newest"]).optional(),
      ...pageQuery,
    }),
    responses: { 200: { description: "A page of documents", schema: pageOf(documentSchema) } },
    run: async ({ db, caller, params, query }) => ({
      status: 200,
      body: await listDocuments(db, caller, { ...query, ...params }),
    }),
  }),
  defineRoute({
    method: "get",
    path: "/feeds/{feedId}/documents/by-external-id",
    scope: "documents:read",
    tag,
    summary: "Get a document by the id its upstream gave it",
    description: "410 `document_deleted` for a tombstone.",
    query: z.object({ id: z.string().min(1) }),
    responses: { 200: document },
    run: async ({ db, caller, params, query }) => ({
      status: 200,
      body: await getDocumentByExternalId(db, caller, { ...params, externalId: query.id }),
    }),
  }),
  defineRoute({
    method: "get",
    path: "/documents/{documentId}",
    scope: "documents:read",
    tag,
    summary: "Get a document with its text",
    description: "A tombstone is shown as one: `deleted` is true, the content gone.",
    responses: { 200: document },
    run: async ({ db, caller, params }) => ({ status: 200, body: await getDocument(db, caller, params) }),
  }),
];
