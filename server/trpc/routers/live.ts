import { TRPCError, tracked } from "@trpc/server";
import { hubFor } from "@/server/live/hub";
import { liveInput } from "@/server/live/schema";
import { watchLive } from "@/server/live/watch-live";
import { procedureWith, router } from "../init";
import { toTRPCError } from "../map-error";

export const liveRouter = router({
  /** Hints of what changed in the workspace; each kind as far as the caller's scopes go. */
  events: procedureWith("sources:read")
    .input(liveInput.optional())
    .subscription(async function* ({ ctx, input, signal }) {
      const hub = hubFor(ctx.db);
      const isResumed = Boolean(input?.lastEventId);
      try {
        let count = 0;
        for await (const event of watchLive(hub, ctx.principal, { isResumed, signal })) {
          // Nothing is kept to replay: whoever comes back is told to read everything again.
          yield tracked(String(++count), event);
        }
      } catch (error) {
        // Thrown between events, past the middleware that translates what procedures throw.
        throw toTRPCError(new TRPCError({ code: "INTERNAL_SERVER_ERROR", cause: error }));
      }
    }),
});
