import { isId } from "@/server/ids";
import { ingestDocuments } from "@/server/ingest/ingest-documents";
import { fenced } from "@/server/runs/heartbeat-run";
import { builder, needs } from "../builder";
import { requireId } from "../require-id";
import { DocumentInput, IngestResult } from "../types/ingest";

builder.mutationField("ingestDocuments", (t) =>
  t.field({
    type: IngestResult,
    ...needs(
      "documents:write",
      "Pushes up to 50 documents and a cursor; they are committed together. Idempotent: send it again when its answer was lost.",
    ),
    args: {
      sourceId: t.arg.id({ description: "When given, it must be the feed's." }),
      feedId: t.arg.id({ required: true }),
      documents: t.arg({ type: [DocumentInput], required: true, description: "At most 50; may be empty." }),
      cursor: t.arg({ type: "Cursor", description: "Absent or null: leave the cursor." }),
      cursorBefore: t.arg({
        type: "Cursor",
        description: 'What was read before fetching. Absent: no check. Null: "I read no cursor".',
      }),
      runId: t.arg.id({ description: "A run of `startSyncRun`. Without, the call is its own run." }),
    },
    resolve: (_, { sourceId, feedId, documents, cursor, cursorBefore, runId }, { db, caller }) => {
      // What cannot be an id belongs to no run; a source is only compared with the feed's.
      requireId("feed", feedId);
      if (runId != null && !isId("run", runId)) throw fenced();
      return ingestDocuments(db, caller, {
        feedId,
        documents,
        cursor,
        cursorBefore, // absent stays undefined, null stays null: they mean different things
        ...(sourceId != null && { sourceId }),
        ...(runId != null && { runId }),
      });
    },
  }),
);
