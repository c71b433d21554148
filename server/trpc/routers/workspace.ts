import { AppError } from "@/server/errors";
import { getWorkspace } from "@/server/workspaces/get-workspace";
import { renameWorkspace } from "@/server/workspaces/rename-workspace";
import { renameWorkspaceInput, updateSettingsInput } from "@/server/workspaces/schema";
import { getSettings, updateSettings } from "@/server/workspaces/settings";
import { personProcedure, procedureWith, publicProcedure, router } from "../init";

export const workspaceRouter = router({
  /** Whose data this is and who looks at it. Any scope will do. */
  current: publicProcedure.query(({ ctx }) => {
    if (!ctx.principal) throw ctx.refusal ?? new AppError("unauthenticated", "Sign in to continue.");
    return getWorkspace(ctx.db, ctx.principal);
  }),
  /** How long what is no longer needed is kept. */
  settings: procedureWith("changes:read").query(({ ctx }) => getSettings(ctx.db, ctx.caller)),
  updateSettings: procedureWith("admin")
    .input(updateSettingsInput)
    .mutation(({ ctx, input }) => updateSettings(ctx.db, ctx.caller, input)),
  /** Owners alone. */
  rename: personProcedure("admin")
    .input(renameWorkspaceInput)
    .mutation(({ ctx, input }) => renameWorkspace(ctx.db, ctx.caller, { ...input, ...ctx.person })),
});
