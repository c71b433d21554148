import { getDocument } from "@/server/documents/get-document";
import { getDocumentByExternalId } from "@/server/documents/get-document-by-external-id";
import { listDocuments } from "@/server/documents/list-documents";
import { listDocumentsInput } from "@/server/documents/schema";
import { parse } from "@/server/rest/parse";
import { builder, needs } from "../builder";
import { given } from "../given";
import { requireId } from "../require-id";
import { Document, DocumentPage } from "../types/document";
import { DocumentOrder } from "../types/enums";
import { PAGE_ARGS } from "../types/page";

builder.queryField("document", (t) =>
  t.field({
    type: Document,
    ...needs("documents:read", "A document with its text. A tombstone is shown as one."),
    args: { id: t.arg.id({ required: true }) },
    resolve: (_, { id }, { db, caller }) => getDocument(db, caller, { documentId: id }),
  }),
);

builder.queryField("documentByExternalId", (t) =>
  t.field({
    type: Document,
    ...needs(
      "documents:read",
      "A document by the id its upstream gave it; `document_deleted` for a tombstone.",
    ),
    args: { feedId: t.arg.id({ required: true }), externalId: t.arg.string({ required: true }) },
    resolve: (_, { feedId, externalId }, { db, caller }) =>
      getDocumentByExternalId(db, caller, { feedId: requireId("feed", feedId), externalId }),
  }),
);

builder.queryField("documents", (t) =>
  t.field({
    type: DocumentPage,
    ...needs("documents:read", "A feed's documents by their latest change, without text."),
    args: {
      feedId: t.arg.id({ required: true }),
      deleted: t.arg.boolean({ description: "True: the tombstones instead." }),
      order: t.arg({ type: DocumentOrder, description: "By latest change; default `oldest`." }),
      limit: t.arg.int({ description: PAGE_ARGS.limit }),
      after: t.arg.string({ description: PAGE_ARGS.after }),
    },
    resolve: (_, args, { db, caller }) => {
      requireId("feed", args.feedId);
      return listDocuments(db, caller, parse(listDocumentsInput, given(args)));
    },
  }),
);
