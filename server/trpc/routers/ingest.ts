import { z } from "zod";
import { AppError } from "@/server/errors";
import { isId } from "@/server/ids";
import { ingestDocuments } from "@/server/ingest/ingest-documents";
import { idText } from "@/server/inputs";
import { fenced } from "@/server/runs/heartbeat-run";
import { procedureWith, router } from "../init";

/** Documents and cursors are checked by the use case, item by item. */
const ingestInput = z.object({
  feedId: idText,
  sourceId: z.string().optional(),
  // superjson can carry what JSON cannot (dates, big integers); the use case knows JSON alone.
  documents: z.array(z.unknown()).transform((documents, ctx): unknown[] => {
    try {
      return JSON.parse(JSON.stringify(documents));
    } catch {
      ctx.addIssue({ code: "custom", message: "is not JSON" });
      return z.NEVER;
    }
  }),
  cursor: z.unknown().optional(),
  cursorBefore: z.unknown().optional(),
  runId: z.string().optional(),
});

export const ingestRouter = router({
  documents: procedureWith("documents:write")
    .input(ingestInput)
    .mutation(({ ctx, input }) => {
      // What cannot be an id belongs to no run and no source.
      if (input.runId !== undefined && !isId("run", input.runId)) throw fenced();
      if (input.sourceId !== undefined && !isId("src", input.sourceId)) {
        throw new AppError("feed_not_found", "There is no such feed in this source.");
      }
      return ingestDocuments(ctx.db, ctx.caller, input);
    }),
});
