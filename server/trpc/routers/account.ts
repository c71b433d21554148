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
  /** Ends the sessions everywhere else; the browser that asked is given a new one. */
  changePassword: own.input(changePasswordInput).mutation(async ({ ctx, input }) => {
    const { userId } = ctx.person;
    const { sessionVersion } = await changePassword(ctx.db, ctx.caller, {
      ...input,
      userId,
      address: ctx.peer.address,
    });
    await ctx.renewSession?.({ sub: userId, sessionVersion });
    return { changed: true };
  }),
});
