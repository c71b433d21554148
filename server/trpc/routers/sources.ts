import { z } from "zod";
import { requireScope } from "@/server/access/principal";
import { idText } from "@/server/inputs";
import { lookNow } from "@/server/new-feeds/look-now";
import { browseSources } from "@/server/sources/browse-sources";
import { bulkSources, listMatchingSources } from "@/server/sources/bulk-sources";
import { checkConnection } from "@/server/sources/check-connection";
import { createSource } from "@/server/sources/create-source";
import { deleteSource } from "@/server/sources/delete-source";
import { discoverFeeds } from "@/server/sources/discover-feeds";
import { getSource } from "@/server/sources/get-source";
import { pauseSource } from "@/server/sources/pause-source";
import { resumeSource } from "@/server/sources/resume-source";
import {
  browseSourcesInput,
  bulkSourcesInput,
  checkConnectionInput,
  createSourceInput,
  discoverInput,
  sourceFilters,
  updateSourceInput,
} from "@/server/sources/schema";
import { syncSource } from "@/server/sources/sync-source";
import { updateSource } from "@/server/sources/update-source";
import { procedureWith, router } from "../init";

const bySource = z.object({ sourceId: idText });
const read = procedureWith("sources:read");
const write = procedureWith("sources:write");

export const sourcesRouter = router({
  list: read.input(browseSourcesInput).query(({ ctx, input }) => browseSources(ctx.db, ctx.caller, input)),
  /** All that the filters match, for acts on all of them. */
  matching: read
    .input(z.object(sourceFilters))
    .query(({ ctx, input }) => listMatchingSources(ctx.db, ctx.caller, input)),
  get: read.input(bySource).query(({ ctx, input }) => getSource(ctx.db, ctx.caller, input)),
  create: write.input(createSourceInput).mutation(async ({ ctx, input }) => {
    const { source, created } = await createSource(ctx.db, ctx.caller, input);
    return { ...source, created };
  }),
  update: write
    .input(updateSourceInput.extend(bySource.shape))
    .mutation(({ ctx, input }) => updateSource(ctx.db, ctx.caller, input)),
  /** Null when it is gone; the source, `deleting`, while the background goes on. */
  delete: write.input(bySource).mutation(({ ctx, input }) => deleteSource(ctx.db, ctx.caller, input)),
  pause: write.input(bySource).mutation(({ ctx, input }) => pauseSource(ctx.db, ctx.caller, input)),
  resume: write.input(bySource).mutation(({ ctx, input }) => resumeSource(ctx.db, ctx.caller, input)),
  sync: procedureWith("runs:write")
    .input(bySource)
    .mutation(({ ctx, input }) => syncSource(ctx.db, ctx.caller, input)),
  /** A mutation that waits for the upstream; answers what was found and added. */
  lookForFeeds: write.input(bySource).mutation(({ ctx, input }) => lookNow(ctx.db, ctx.caller, input)),
  /** Up to 100 at once; `sync` needs the scope for runs besides. */
  bulk: write.input(bulkSourcesInput).mutation(({ ctx, input }) => {
    if (input.action === "sync") requireScope(ctx.principal, "runs:write");
    return bulkSources(ctx.db, ctx.caller, input);
  }),
  // Mutations: they make requests to others' servers, and their input may hold credentials, which
  // must not stand in a URL.
  discover: write.input(discoverInput).mutation(({ input, signal }) => discoverFeeds(input, signal)),
  check: write.input(checkConnectionInput).mutation(({ input, signal }) => checkConnection(input, signal)),
});
