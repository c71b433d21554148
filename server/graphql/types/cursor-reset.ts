import type { ResetResult } from "@/server/ingest/reset-cursor";
import { builder } from "../builder";

export const CursorReset = builder.objectRef<ResetResult>("CursorReset").implement({
  description: "What was, or would be, done.",
  fields: (t) => ({
    feedId: t.exposeID("feedId"),
    from: t.exposeString("from", { nullable: true }),
    to: t.exposeString("to", { nullable: true }),
    dryRun: t.exposeBoolean("dryRun"),
    transitionId: t.exposeID("transitionId", { nullable: true }),
    documentsKept: t.exposeInt("documentsKept", { description: "Live documents; a reset touches none." }),
    effect: t.exposeString("effect", { description: "One sentence: what the next sync will do." }),
  }),
});
