import { z } from "zod";
import { emailInput, passwordInput } from "@/server/access/schema";
import { idText, shortText } from "@/server/inputs";
import { ROLES } from "./choices";

const role = z.enum(ROLES);

export const changeRoleInput = z.object({
  userId: idText,
  role,
  /** Also end the API tokens that this person made, which may do more than the new role. */
  revokeTokens: z.boolean().default(false),
});

export const removePersonInput = z.object({
  userId: idText,
  /** Also end the API tokens that this person made; programs that use them stop. */
  revokeTokens: z.boolean().default(false),
});

export const inviteInput = z.object({ email: emailInput, role });

export const withdrawInvitationInput = z.object({ invitationId: idText });

export const acceptInvitationInput = z.object({
  /** The last part of the link. */
  token: z.string().max(200),
  name: shortText(100),
  password: passwordInput,
});
