import { z } from "zod";
import { requireGrantable } from "@/server/access/principal";
import { bulkTokensInput, createTokenInput } from "@/server/access/schema";
import { createToken, listTokens, revokeToken, revokeTokens } from "@/server/access/tokens";
import { idText } from "@/server/inputs";
import { personProcedure, procedureWith, router } from "../init";

const DAY_MS = 86_400_000;
const manage = procedureWith("admin");

export const tokensRouter = router({
  list: manage.query(({ ctx }) => listTokens(ctx.db, ctx.caller)),
  /** `token` is in this answer and never again. For people: what a token made would stay when its maker's go. */
  create: personProcedure("admin")
    .input(createTokenInput)
    .mutation(({ ctx, input }) => {
      const { name, scopes, expiresInDays } = input;
      requireGrantable(ctx.principal, scopes);
      const expiresAt = expiresInDays ? new Date(Date.now() + expiresInDays * DAY_MS) : null;
      return createToken(ctx.db, ctx.caller, { name, scopes, expiresAt });
    }),
  revoke: manage
    .input(z.object({ tokenId: idText }))
    .mutation(({ ctx, input }) => revokeToken(ctx.db, ctx.caller, input.tokenId)),
  revokeMany: manage
    .input(bulkTokensInput)
    .mutation(({ ctx, input }) => revokeTokens(ctx.db, ctx.caller, input)),
});
