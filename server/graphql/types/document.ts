import type { ApiDocument } from "@/server/documents/document-shape";
import { builder } from "../builder";
import { pageOf } from "./page";

/** A list's documents lack `text`, a single one has it. */
type ShownDocument = ApiDocument & { text?: string | null };

export const Document = builder.objectRef<ShownDocument>("Document").implement({
  description: "The current version of a document, or its tombstone.",
  fields: (t) => ({
    id: t.exposeID("id"),
    feedId: t.exposeID("feedId"),
    sourceId: t.exposeID("sourceId"),
    externalId: t.exposeString("externalId", { description: "What its upstream calls it." }),
    version: t.exposeString("version", { nullable: true }),
    title: t.exposeString("title", { nullable: true }),
    text: t.string({
      nullable: true,
      description: "Of a single document; null in a list, and in a tombstone.",
      resolve: (document) => document.text ?? null,
    }),
    url: t.exposeString("url", { nullable: true }),
    author: t.exposeString("author", { nullable: true }),
    date: t.expose("date", { type: "DateTime", nullable: true }),
    metadata: t.expose("metadata", { type: "JSON" }),
    format: t.exposeString("format", { description: "`text`, `html` or `markdown`." }),
    deleted: t.exposeBoolean("deleted", { description: "True for a tombstone." }),
    seq: t.exposeString("seq", {
      description: "64-bit number: its latest change's place in the change feed.",
    }),
    createdAt: t.expose("createdAt", { type: "DateTime" }),
    changedAt: t.expose("changedAt", { type: "DateTime" }),
    lastRunId: t.exposeID("lastRunId", { nullable: true }),
  }),
});

export const DocumentPage = pageOf("DocumentPage", Document);
