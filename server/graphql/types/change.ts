import type {
  Change as ApiChange,
  ChangeHead as ApiHead,
  ChangePage as ApiPage,
} from "@/server/changes/schema";
import { builder } from "../builder";
import { ChangeOp } from "./enums";

const ChangedDocument = builder.objectRef<NonNullable<ApiChange["document"]>>("ChangedDocument").implement({
  fields: (t) => ({
    title: t.exposeString("title", { nullable: true }),
    url: t.exposeString("url", { nullable: true }),
    author: t.exposeString("author", { nullable: true }),
    date: t.expose("date", { type: "DateTime", nullable: true }),
    metadata: t.expose("metadata", { type: "JSON" }),
    text: t.string({
      nullable: true,
      description: "With `text: true`, else null.",
      resolve: (document) => document.text ?? null,
    }),
  }),
});

const Change = builder.objectRef<ApiChange>("Change").implement({
  fields: (t) => ({
    seq: t.exposeString("seq", { description: "64-bit number; grows." }),
    op: t.expose("op", { type: ChangeOp }),
    sourceId: t.exposeID("sourceId"),
    feedId: t.exposeID("feedId"),
    documentId: t.exposeID("documentId"),
    externalId: t.exposeString("externalId"),
    version: t.exposeString("version", { nullable: true }),
    changedAt: t.expose("changedAt", { type: "DateTime" }),
    document: t.expose("document", {
      type: ChangedDocument,
      nullable: true,
      description: "Null for a delete.",
    }),
  }),
});

export const ChangePage = builder.objectRef<ApiPage>("ChangePage").implement({
  description: "Changes in order, each document at most once per walk unless it changed again.",
  fields: (t) => ({
    changes: t.expose("changes", { type: [Change] }),
    cursor: t.exposeString("cursor", { description: "Always there; goes back as `cursor`." }),
    hasMore: t.exposeBoolean("hasMore", { description: "Ask again at once." }),
  }),
});

export const ChangeHead = builder.objectRef<ApiHead>("ChangeHead").implement({
  fields: (t) => ({
    head: t.exposeString("head", { description: 'Highest committed seq of the workspace; "0" when empty.' }),
    safePoint: t.exposeString("safePoint", { description: "Highest committed seq that may be served now." }),
    horizon: t.exposeString("horizon", {
      description: "Below it deletes were forgotten; older cursors are expired.",
    }),
    epoch: t.exposeString("epoch"),
    cursor: t.exposeString("cursor", { description: "Follows from here, without a filter." }),
  }),
});
