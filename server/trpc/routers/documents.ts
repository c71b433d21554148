import { z } from "zod";
import { browseDocuments } from "@/server/documents/browse-documents";
import { getDocumentStory } from "@/server/documents/get-document-story";
import { browseDocumentsInput } from "@/server/documents/schema";
import { idText } from "@/server/inputs";
import { procedureWith, router } from "../init";

const read = procedureWith("documents:read");

export const documentsRouter = router({
  /** Newest change first unless told otherwise: people look at what just came. */
  list: read
    .input(browseDocumentsInput)
    .query(({ ctx, input }) => browseDocuments(ctx.db, ctx.caller, input)),
  get: read
    .input(z.object({ documentId: idText }))
    .query(({ ctx, input }) => getDocumentStory(ctx.db, ctx.caller, input)),
});
