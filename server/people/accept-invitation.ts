import type { z } from "zod";
import { parseInput } from "@/server/access/parse-input";
import { hashPassword } from "@/server/access/passwords";
import { insertMember } from "@/server/access/users";
import { type Actor, actorName, type Caller } from "@/server/actor";
import type { Db, Role, Tx } from "@/server/db";
import { AppError } from "@/server/errors";
import { newId, sha256 } from "@/server/ids";
import { publish } from "@/server/live/publish";
import { inTransaction } from "@/server/transaction";
import { parseInvitation } from "./invitation-token";
import { acceptInvitationInput } from "./schema";

export type OpenInvitation = {
  workspaceName: string;
  email: string;
  role: Role;
  /** The name of whoever asked. */
  invitedBy: string;
};

/** What a link offers, or null: misspelled, accepted, withdrawn or too old. Which, a stranger is not told. */
export async function readInvitation(db: Db, token: string): Promise<OpenInvitation | null> {
  const parsed = parseInvitation(token);
  if (!parsed) return null;
  const found = await db.invitation.findUnique({
    where: {
      workspaceId_tokenHash: { workspaceId: parsed.workspaceId, tokenHash: new Uint8Array(sha256(token)) },
      expiresAt: { gt: new Date() },
    },
    select: { email: true, role: true, invitedBy: true, workspace: { select: { name: true } } },
  });
  if (!found) return null;
  const { email, role, workspace } = found;
  return { workspaceName: workspace.name, email, role, invitedBy: actorName(found.invitedBy as Actor) };
}

/**
 * Joins, with the account that the link makes. A link works once.
 *
 * @returns The e-mail to sign in with.
 * @throws AppError not_found when the link does not hold (any more); invalid_request; conflict when the address has
 *   got an account elsewhere meanwhile.
 */
export async function acceptInvitation(
  db: Db,
  input: z.input<typeof acceptInvitationInput>,
  { requestId }: { requestId?: string } = {},
): Promise<{ email: string; userId: string }> {
  const { token, name, password } = parseInput(acceptInvitationInput, input);
  const workspaceId = parseInvitation(token)?.workspaceId;
  // Asked before the password is hashed, which is slow on purpose.
  if (workspaceId === undefined || !(await readInvitation(db, token))) throw invalid();
  const passwordHash = await hashPassword(password);
  const userId = newId("usr");
  const joined = await inTransaction(db, async (tx) => {
    const [taken] = await tx.$queryRaw<{ email: string; role: Role; invitedBy: Actor }[]>`
      DELETE FROM invitations
       WHERE workspace_id = ${workspaceId}::int AND token_hash = ${sha256(token)}::bytea AND expires_at > now()
      RETURNING email, role::text, invited_by AS "invitedBy"`;
    if (!taken) throw invalid();
    const caller: Caller = { workspaceId, actor: { type: "user", id: userId, name }, requestId };
    await freeAddress(tx, taken.email);
    const { email, role, invitedBy } = taken;
    await insertMember(tx, caller, { id: userId, email, name, passwordHash, role }, { invitedBy });
    return { caller, email };
  });
  publish(db, joined.caller, { person: [userId] });
  return { email: joined.email, userId };
}

/** An account that belongs nowhere opens nothing; the link's owner begins anew. */
async function freeAddress(tx: Tx, email: string): Promise<void> {
  await tx.user.deleteMany({ where: { email, memberships: { none: {} } } });
}

function invalid(): AppError {
  return new AppError(
    "not_found",
    "This invitation does not hold any more: it was used, withdrawn or is too old. Ask for a new one.",
  );
}
