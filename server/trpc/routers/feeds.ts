import { z } from "zod";
import { requireScope } from "@/server/access/principal";
import { addFeed } from "@/server/feeds/add-feed";
import { browseFeeds } from "@/server/feeds/browse-feeds";
import { browseHeldItems } from "@/server/feeds/browse-held-items";
import { browseRejections } from "@/server/feeds/browse-rejections";
import { bulkFeeds, listMatchingFeeds } from "@/server/feeds/bulk-feeds";
import { discardRejections, listMatchingRejections, retryRejections } from "@/server/feeds/bulk-rejections";
import { checkMove } from "@/server/feeds/check-move";
import { deleteFeed } from "@/server/feeds/delete-feed";
import { readFeedHistory } from "@/server/feeds/feed-history";
import { getFeed } from "@/server/feeds/get-feed";
import { listHeldDeletes } from "@/server/feeds/list-held-deletes";
import { listTransitions } from "@/server/feeds/list-transitions";
import { moveFeed } from "@/server/feeds/move-feed";
import { pauseFeed } from "@/server/feeds/pause-feed";
import { resumeFeed } from "@/server/feeds/resume-feed";
import {
  browseFeedsInput,
  browseHeldItemsInput,
  browseRejectionsInput,
  bulkFeedsInput,
  bulkRejectionsInput,
  ensureFeedInput,
  feedFilters,
  feedHistoryInput,
  moveFeedInput,
  rejectionFilters,
  rewindFeedInput,
  updateFeedInput,
} from "@/server/feeds/schema";
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
  list: read.input(browseFeedsInput).query(({ ctx, input }) => browseFeeds(ctx.db, ctx.caller, input)),
  /** All that the filters match, for acts on all of them. */
  matching: read
    .input(z.object(feedFilters))
    .query(({ ctx, input }) => listMatchingFeeds(ctx.db, ctx.caller, input)),
  history: read.input(feedHistoryInput).query(({ ctx, input }) => readFeedHistory(ctx.db, ctx.caller, input)),
  get: read.input(byFeed).query(({ ctx, input }) => getFeed(ctx.db, ctx.caller, input)),
  add: write.input(ensureFeedInput.extend({ sourceId: idText })).mutation(async ({ ctx, input }) => {
    const { feed, created } = await addFeed(ctx.db, ctx.caller, input);
    return { ...feed, created };
  }),
  update: write
    .input(updateFeedInput.extend(byFeed.shape))
    .mutation(({ ctx, input }) => updateFeed(ctx.db, ctx.caller, input)),
  /** What is at another address, before the feed moves there. A mutation: it asks others' servers. */
  checkMove: write
    .input(moveFeedInput.pick({ externalKey: true }).extend(byFeed.shape))
    .mutation(({ ctx, input, signal }) => checkMove(ctx.db, ctx.caller, input, signal)),
  move: write
    .input(moveFeedInput.extend(byFeed.shape))
    .mutation(({ ctx, input }) => moveFeed(ctx.db, ctx.caller, input)),
  /** Null when it is gone; the feed, `deleting`, while the background goes on. */
  delete: write.input(byFeed).mutation(({ ctx, input }) => deleteFeed(ctx.db, ctx.caller, input)),
  pause: write.input(byFeed).mutation(({ ctx, input }) => pauseFeed(ctx.db, ctx.caller, input)),
  resume: write.input(byFeed).mutation(({ ctx, input }) => resumeFeed(ctx.db, ctx.caller, input)),
  /** With `wait` (seconds) it answers when the run ended; `run` is null before that. */
  sync: procedureWith("runs:write")
    .input(byFeed.extend({ wait: z.int().min(0).max(55).optional() }))
    .mutation(({ ctx, input, signal }) => syncFeed(ctx.db, ctx.caller, input, signal)),

  /** Up to 100 at once; `sync` needs the scope for runs besides. */
  bulk: write.input(bulkFeedsInput).mutation(({ ctx, input }) => {
    if (input.action === "sync") requireScope(ctx.principal, "runs:write");
    return bulkFeeds(ctx.db, ctx.caller, input);
  }),
  reset: write
    .input(rewindFeedInput.extend(byFeed.shape))
    .mutation(({ ctx, input }) => resetCursor(ctx.db, ctx.caller, input)),
  transitions: read.input(pageOfFeed).query(({ ctx, input }) => listTransitions(ctx.db, ctx.caller, input)),

  heldDeletes: read.input(pageOfFeed).query(({ ctx, input }) => listHeldDeletes(ctx.db, ctx.caller, input)),
  /** All that one of them would delete. */
  heldItems: read
    .input(browseHeldItemsInput)
    .query(({ ctx, input }) => browseHeldItems(ctx.db, ctx.caller, input)),
  approveHeldDelete: decide
    .input(byHold)
    .mutation(({ ctx, input }) => approveHeldDelete(ctx.db, ctx.caller, input)),
  dismissHeldDelete: decide.input(byHold).mutation(async ({ ctx, input }) => {
    await dismissHeldDelete(ctx.db, ctx.caller, input);
    return null;
  }),

  rejections: procedureWith("documents:read")
    .input(browseRejectionsInput)
    .query(({ ctx, input }) => browseRejections(ctx.db, ctx.caller, input)),
  /** All that the filters match, for acts on all of them. */
  matchingRejections: procedureWith("documents:read")
    .input(z.object(rejectionFilters))
    .query(({ ctx, input }) => listMatchingRejections(ctx.db, ctx.caller, input)),
  retryRejection: procedureWith("documents:write")
    .input(byFeed.extend({ rejectionId: idText, document: z.unknown().optional() }))
    .mutation(({ ctx, input }) => retryRejection(ctx.db, ctx.caller, input)),
  retryRejections: procedureWith("documents:write")
    .input(bulkRejectionsInput)
    .mutation(({ ctx, input }) => retryRejections(ctx.db, ctx.caller, input)),
  discardRejections: procedureWith("documents:write")
    .input(bulkRejectionsInput)
    .mutation(({ ctx, input }) => discardRejections(ctx.db, ctx.caller, input)),
});
