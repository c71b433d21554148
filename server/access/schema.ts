import { z } from "zod";
import { SCOPES } from "@/server/access/principal";
import { idText, shortText } from "@/server/inputs";

/** Inputs of the access use cases, shared with routers and forms. Safe for browsers. */

export const emailInput = z.string().trim().toLowerCase().max(254).pipe(z.email("is not an e-mail address"));

/** NIST SP 800-63B: length is what counts; no composition rules. The upper bound keeps hashing cheap. */
export const passwordInput = z
  .string()
  .min(8, "must have at least 8 characters")
  .max(512, "must have at most 512 characters");

export const createOwnerInput = z.object({
  email: emailInput,
  password: passwordInput,
  name: shortText(100),
  workspaceName: shortText(100),
  /** The set-up code from the terminal; not needed on the machine itself. */
  code: z.string().max(100).optional(),
});

export const createTokenInput = z.object({
  name: shortText(100),
  scopes: z.array(z.enum(SCOPES)).min(1, "needs at least one scope"),
  expiresInDays: z.int().min(1).max(3650).optional(),
});

/** Which tokens: the filter of the table and of its export. */
export const browseTokensInput = z.object({ tokens: z.enum(["usable"]).optional() });
export type BrowseTokensInput = z.infer<typeof browseTokensInput>;

export const bulkTokensInput = z.object({ tokenIds: z.array(idText).min(1).max(100) });
export type BulkTokensInput = z.infer<typeof bulkTokensInput>;

export const changePasswordInput = z.object({
  currentPassword: z.string().max(512),
  newPassword: passwordInput,
});

export const renameUserInput = z.object({ name: shortText(100) });
