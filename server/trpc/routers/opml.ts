import { importOpml } from "@/server/opml/import-opml";
import { previewOpml } from "@/server/opml/preview-opml";
import { importOpmlInput, previewOpmlInput } from "@/server/opml/schema";
import { procedureWith, router } from "../init";

const write = procedureWith("sources:write");

/** The export is a download: GET /api/export/opml. */
export const opmlRouter = router({
  /** A mutation because a file does not fit into a URL; nothing is stored. */
  preview: write.input(previewOpmlInput).mutation(({ ctx, input }) => previewOpml(ctx.db, ctx.caller, input)),
  import: write.input(importOpmlInput).mutation(({ ctx, input }) => importOpml(ctx.db, ctx.caller, input)),
});
