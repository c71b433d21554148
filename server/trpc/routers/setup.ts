import { createOwnerInput } from "@/server/access/schema";
import { createOwner, setupStatus } from "@/server/access/setup";
import { publicProcedure, router } from "../init";

export const setupRouter = router({
  /** Does this installation wait for its owner, and may this visitor become it without a code? */
  status: publicProcedure.query(async ({ ctx }) => ({
    ...(await setupStatus(ctx.db)),
    local: ctx.peer.isLocal,
  })),

  createOwner: publicProcedure.input(createOwnerInput).mutation(async ({ ctx, input }) => {
    const { userId } = await createOwner(ctx.db, input, { ...ctx.peer, requestId: ctx.requestId });
    return { userId };
  }),
});
