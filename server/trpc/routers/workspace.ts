import { AppError } from "@/server/errors";
import { getWorkspace } from "@/server/workspaces/get-workspace";
import { publicProcedure, router } from "../init";

export const workspaceRouter = router({
  /** Whose data this is and who looks at it. Any scope will do. */
  current: publicProcedure.query(({ ctx }) => {
    if (!ctx.principal) throw ctx.refusal ?? new AppError("unauthenticated", "Sign in to continue.");
    return getWorkspace(ctx.db, ctx.principal);
  }),
});
