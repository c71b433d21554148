import { TRPCError, tracked } from "@trpc/server";
import { browseConsumers } from "@/server/changes/browse-consumers";
import { deleteConsumer } from "@/server/changes/delete-consumer";
import { getChangeFeedStatus } from "@/server/changes/get-change-feed-status";
import { getChangeHead } from "@/server/changes/get-change-head";
import { nameFeeds } from "@/server/changes/name-feeds";
import { previewRetention } from "@/server/changes/preview-retention";
import { parsePage, pullChanges } from "@/server/changes/pull-changes";
import {
  browseConsumersInput,
  deleteConsumerInput,
  pullChangesInput,
  retentionEffectInput,
  tailChangesInput,
} from "@/server/changes/schema";
import { tailChanges } from "@/server/changes/tail-changes";
import { procedureWith, router } from "../init";
import { toTRPCError } from "../map-error";

const read = procedureWith("changes:read");

export const changesRouter = router({
  /** Where the feed stands, who waits, how long tombstones are kept. */
  status: read.query(({ ctx }) => getChangeFeedStatus(ctx.db, ctx.caller)),
  head: read.query(({ ctx }) => getChangeHead(ctx.db, ctx.caller)),
  /** A page; it never waits. */
  pull: read
    .input(pullChangesInput)
    .query(async ({ ctx, input }) => parsePage(await pullChanges(ctx.db, ctx.principal, ctx.caller, input))),
  consumers: read
    .input(browseConsumersInput.optional())
    .query(({ ctx, input }) => browseConsumers(ctx.db, ctx.caller, input)),
  /** For the question before a shorter retention. */
  retentionEffect: procedureWith("admin")
    .input(retentionEffectInput)
    .query(({ ctx, input }) => previewRetention(ctx.db, ctx.caller, input)),
  deleteConsumer: procedureWith("sources:write")
    .input(deleteConsumerInput)
    .mutation(({ ctx, input }) => deleteConsumer(ctx.db, ctx.caller, input)),
  /** Pages as they come, from now on or from a cursor; each event's id is the cursor after it. */
  tail: read.input(tailChangesInput.optional()).subscription(async function* ({ ctx, input = {}, signal }) {
    try {
      for await (const page of tailChanges(ctx.db, ctx.principal, input, signal)) {
        yield tracked(page.cursor, await nameFeeds(ctx.db, ctx.caller, page));
      }
    } catch (error) {
      // Thrown between events, past the middleware that translates what procedures throw.
      throw toTRPCError(new TRPCError({ code: "INTERNAL_SERVER_ERROR", cause: error }));
    }
  }),
});
