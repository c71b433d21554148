import { z } from "zod";
import { getDocument } from "@/server/documents/get-document";
import { listDocuments } from "@/server/documents/list-documents";
import { listDocumentsInput } from "@/server/documents/schema";
import { idText } from "@/server/inputs";
import { procedureWith, router } from "../init";

const read = procedureWith("documents:read");

export const documentsRouter = router({
  /** Newest change first unless told otherwise: people look at what just came. */
  list: read
    .input(listDocumentsInput)
    .query(({ ctx, input }) => listDocuments(ctx.db, ctx.caller, { order: "newest", ...input })),
  get: read
    .input(z.object({ documentId: idText }))
    .query(({ ctx, input }) => getDocument(ctx.db, ctx.caller, input)),
});
