import { z } from "zod";
import { addFeed } from "@/server/feeds/add-feed";
import { deleteFeed } from "@/server/feeds/delete-feed";
import { getFeed } from "@/server/feeds/get-feed";
import { listFeeds } from "@/server/feeds/list-feeds";
import { listHeldDeletes } from "@/server/feeds/list-held-deletes";
import { listRejections } from "@/server/feeds/list-rejections";
import { listTransitions } from "@/server/feeds/list-transitions";
import { pauseFeed } from "@/server/feeds/pause-feed";
import { resumeFeed } from "@/server/feeds/resume-feed";
import { ensureFeedInput, listFeedsInput, resetFeedInput, updateFeedInput } from "@/server/feeds/schema";
import { syncFeed } from "@/server/feeds/sync-feed";
import { updateFeed } from "@/server/feeds/update-feed";
import { resetCursor } from "@/server/ingest/reset-cursor";
import { retryRejection } from "@/server/ingest/retry-rejection";
import { approveHeldDelete, dismissHeldDelete } from "@/server/ingest/sweep";
import { idText, pageFields } from "@/server/inputs";
import { procedureWith, router } from "../init";

const byFeed = z.object({ feedId: idText });
const pageOfFeed = byFeed.extend(pageFields);
const byHold = byFeed.extend({ holdId: idText });
const read = procedureWith("sources:read");
const write = procedureWith("sources:write");
const decide = procedureWith("admin");

export const feedsRouter = router({
  list: read.input(listFeedsInput).query(({ ctx, input }) => listFeeds(ctx.db, ctx.caller, input)),
  get: read.input(byFeed).query(({ ctx, input }) => getFeed(ctx.db, ctx.caller, input)),
  add: write.input(ensureFeedInput.extend({ sourceId: idText })).mutation(async ({ ctx, input }) => {
    const { feed, created } = await addFeed(ctx.db, ctx.caller, input);
    return { ...feed, created };
  }),
  update: write
    .input(updateFeedInput.extend(byFeed.shape))
    .mutation(({ ctx, input }) => updateFeed(ctx.db, ctx.caller, input)),
  /** Null when it is gone; the feed, `deleting`, while the background goes on. */
  delete: write.input(byFeed).mutation(({ ctx, input }) => deleteFeed(ctx.db, ctx.caller, input)),
  pause: write.input(byFeed).mutation(({ ctx, input }) => pauseFeed(ctx.db, ctx.caller, input)),
  resume: write.input(byFeed).mutation(({ ctx, input }) => resumeFeed(ctx.db, ctx.caller, input)),
  /** With `wait` (seconds) it answers when the run ended; `run` is null before that. */
  sync: procedureWith("runs:write")
    .input(byFeed.extend({ wait: z.int().min(0).max(55).optional() }))
    .mutation(({ ctx, input, signal }) => syncFeed(ctx.db, ctx.caller, input, signal)),

  reset: write
    .input(resetFeedInput.extend(byFeed.shape))
    .mutation(({ ctx, input }) => resetCursor(ctx.db, ctx.caller, input)),
  transitions: read.input(pageOfFeed).query(({ ctx, input }) => listTransitions(ctx.db, ctx.caller, input)),

  heldDeletes: read.input(pageOfFeed).query(({ ctx, input }) => listHeldDeletes(ctx.db, ctx.caller, input)),
  approveHeldDelete: decide
    .input(byHold)
    .mutation(({ ctx, input }) => approveHeldDelete(ctx.db, ctx.caller, input)),
  dismissHeldDelete: decide.input(byHold).mutation(async ({ ctx, input }) => {
    await dismissHeldDelete(ctx.db, ctx.caller, input);
    return null;
  }),

  rejections: procedureWith("documents:read")
    .input(pageOfFeed)
    .query(({ ctx, input }) => listRejections(ctx.db, ctx.caller, input)),
  retryRejection: procedureWith("documents:write")
    .input(byFeed.extend({ rejectionId: idText, document: z.unknown().optional() }))
    .mutation(({ ctx, input }) => retryRejection(ctx.db, ctx.caller, input)),
});
