import { acceptInvitation } from "@/server/people/accept-invitation";
import { changeRole } from "@/server/people/change-role";
import { invite } from "@/server/people/invite";
import { listPeople } from "@/server/people/list-people";
import { removePerson } from "@/server/people/remove-person";
import {
  acceptInvitationInput,
  changeRoleInput,
  inviteInput,
  removePersonInput,
  withdrawInvitationInput,
} from "@/server/people/schema";
import { withdrawInvitation } from "@/server/people/withdraw-invitation";
import { personProcedure, publicProcedure, router } from "../init";

const manage = personProcedure("admin");

export const peopleRouter = router({
  /** Who belongs to the workspace; for admins also who was invited. */
  list: personProcedure("sources:read").query(({ ctx }) => listPeople(ctx.db, ctx.principal)),
  changeRole: manage
    .input(changeRoleInput)
    .mutation(({ ctx, input }) => changeRole(ctx.db, ctx.caller, input)),
  remove: manage
    .input(removePersonInput)
    .mutation(({ ctx, input }) => removePerson(ctx.db, ctx.caller, input)),
  /** `token` is in this answer and never again. */
  invite: manage.input(inviteInput).mutation(({ ctx, input }) => invite(ctx.db, ctx.caller, input)),
  withdrawInvitation: manage
    .input(withdrawInvitationInput)
    .mutation(({ ctx, input }) => withdrawInvitation(ctx.db, ctx.caller, input)),
  /** For whoever has the link. */
  acceptInvitation: publicProcedure
    .input(acceptInvitationInput)
    .mutation(({ ctx, input }) => acceptInvitation(ctx.db, input, { requestId: ctx.requestId })),
});
