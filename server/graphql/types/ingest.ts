import type { IngestResult as Result } from "@/server/ingest/schema";
import { builder } from "../builder";
import { CursorOutcome } from "./enums";
import { Warning } from "./warning";

/** All optional: what lacks its id is rejected alone, by the use case. */
export const DocumentInput = builder.inputType("DocumentInput", {
  description:
    "A document, or with `deleted: true` the news that it is gone. What is wrong with one rejects it alone.",
  fields: (t) => ({
    id: t.field({ type: "Key", description: "The upstream's own id, at most 8,192 bytes. Required." }),
    version: t.field({ type: "Key", description: "Decimal integer of at most 38 digits, or RFC 3339." }),
    title: t.string(),
    text: t.string({ description: "At most 1 MiB of UTF-8." }),
    url: t.string(),
    author: t.string(),
    date: t.string({ description: "RFC 3339." }),
    format: t.string({ description: "`text` (default), `html` or `markdown`." }),
    metadata: t.field({ type: "JSON", description: "An object of at most 64 KiB." }),
    deleted: t.boolean(),
  }),
});

const DocumentRejection = builder
  .objectRef<Result["documentsRejected"][number]>("DocumentRejection")
  .implement({
    fields: (t) => ({
      index: t.exposeInt("index", { description: "Its place in `documents`, from 0." }),
      id: t.exposeString("id", { nullable: true }),
      code: t.exposeString("code", { description: "The stable part." }),
      message: t.exposeString("message"),
    }),
  });

export const IngestResult = builder.objectRef<Result>("IngestResult").implement({
  description: "Indexed + skipped + deleted + rejected = sent.",
  fields: (t) => ({
    documentsIndexed: t.exposeInt("documentsIndexed", { description: "created + updated" }),
    documentsSkipped: t.exposeInt("documentsSkipped", {
      description: "The same or a newer version was there.",
    }),
    documentsDeleted: t.exposeInt("documentsDeleted"),
    created: t.exposeInt("created"),
    updated: t.exposeInt("updated"),
    documentsRejected: t.expose("documentsRejected", { type: [DocumentRejection] }),
    cursor: t.exposeString("cursor", { nullable: true, description: "The final, authoritative cursor." }),
    cursorOutcome: t.expose("cursorOutcome", { type: CursorOutcome }),
    conflict: t.exposeBoolean("conflict", { description: "`cursorBefore` was not the stored cursor." }),
    warnings: t.expose("warnings", { type: [Warning] }),
    runId: t.exposeID("runId"),
  }),
});
