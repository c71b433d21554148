import { changePasswordInput, renameUserInput } from "@/server/access/schema";
import { changePassword, renameUser } from "@/server/access/users";
import { personProcedure, router } from "../init";

/** Every role has it. */
const own = personProcedure("sources:read");

/** What people change about themselves. */
export const accountRouter = router({
  rename: own
    .input(renameUserInput)
    .mutation(({ ctx, input }) => renameUser(ctx.db, ctx.caller, { ...input, userId: ctx.person.userId })),
  /** Ends every session, this one too: sign in again with the new password. */
  changePassword: own.input(changePasswordInput).mutation(async ({ ctx, input }) => {
    await changePassword(ctx.db, ctx.caller, {
      ...input,
      userId: ctx.person.userId,
      address: ctx.peer.address,
    });
    return { ok: true };
  }),
});
