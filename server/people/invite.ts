import type { z } from "zod";
import { audit } from "@/server/access/audit";
import { parseInput } from "@/server/access/parse-input";
import type { Caller } from "@/server/actor";
import type { Db, Role, Tx } from "@/server/db";
import { AppError } from "@/server/errors";
import { newId, sha256 } from "@/server/ids";
import { publish } from "@/server/live/publish";
import { inTransaction } from "@/server/transaction";
import { INVITATION_DAYS } from "./choices";
import { spellInvitation } from "./invitation-token";
import { lockPeople, requireRank } from "./lock-people";
import { inviteInput } from "./schema";

const DAY_MS = 86_400_000;

/**
 * Asks somebody to join. Nothing is sent: whoever asks hands the link on. Asking the same address again replaces the
 * link that was.
 *
 * @returns `token` makes the link, `/invite/<token>`; it is shown this once, only its hash is kept.
 * @throws AppError invalid_request; forbidden for who is no admin, and for an admin who invites an owner; conflict
 *   when the address has an account.
 */
export async function invite(
  db: Db,
  caller: Caller,
  input: z.input<typeof inviteInput>,
): Promise<{ id: string; email: string; role: Role; expiresAt: Date; token: string }> {
  const { email, role } = parseInput(inviteInput, input);
  const { workspaceId, actor } = caller;
  const token = spellInvitation(workspaceId);
  const id = newId("inv");
  const expiresAt = new Date(Date.now() + INVITATION_DAYS * DAY_MS);
  await inTransaction(db, async (tx) => {
    const people = await lockPeople(tx, caller);
    await refuseKnown(tx, workspaceId, email);
    const before = await tx.invitation.findUnique({ where: { workspaceId_email: { workspaceId, email } } });
    requireRank(people, role, ...(before ? [before.role] : []));
    await tx.invitation.deleteMany({ where: { workspaceId, email } });
    await tx.invitation.create({
      data: {
        workspaceId,
        id,
        email,
        role,
        tokenHash: new Uint8Array(sha256(token)),
        invitedBy: actor,
        expiresAt,
      },
    });
    await audit(tx, caller, "invitation.create", id, {
      email,
      role,
      expiresAt,
      replaces: before?.id ?? null,
    });
  });
  publish(db, caller, { person: [id] });
  return { id, email, role, expiresAt, token };
}

async function refuseKnown(tx: Tx, workspaceId: number, email: string): Promise<void> {
  const user = await tx.user.findUnique({ where: { email }, select: { memberships: true } });
  const [first] = user?.memberships ?? [];
  if (!first) return; // nobody, or an account that belongs nowhere: accepting takes it up again
  const isHere = user?.memberships.some((membership) => membership.workspaceId === workspaceId);
  const message = isHere
    ? `${email} belongs to this workspace already.`
    : `There is an account with the e-mail ${email} in another workspace of this server, and an account belongs to one. Invite another address.`;
  throw new AppError("conflict", message, { fields: [{ path: "email", code: "taken", message }] });
}
