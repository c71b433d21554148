import type { z } from "zod";
import { audit } from "@/server/access/audit";
import { parseInput } from "@/server/access/parse-input";
import type { Caller } from "@/server/actor";
import type { Db, Role, Tx } from "@/server/db";
import { AppError } from "@/server/errors";
import { publish } from "@/server/live/publish";
import { inTransaction } from "@/server/transaction";
import { lockPeople, requireRank } from "./lock-people";
import { withdrawInvitationInput } from "./schema";

/**
 * Makes a link that was handed on worth nothing.
 *
 * @throws AppError not_found, also once it was accepted; forbidden for who is no admin, and for an admin where an
 *   owner was invited.
 */
export async function withdrawInvitation(
  db: Db,
  caller: Caller,
  input: z.input<typeof withdrawInvitationInput>,
): Promise<{ id: string }> {
  const { invitationId: id } = parseInput(withdrawInvitationInput, input);
  const where = { workspaceId_id: { workspaceId: caller.workspaceId, id } };
  await inTransaction(db, async (tx) => {
    const people = await lockPeople(tx, caller);
    const found = await tx.invitation.findUnique({ where, select: { email: true, role: true } });
    if (!found) throw gone();
    requireRank(people, found.role);
    // Somebody may be accepting it: whoever deletes the row first has it.
    const { count } = await tx.invitation.deleteMany({ where: { workspaceId: caller.workspaceId, id } });
    if (count === 0) throw gone();
    await audit(tx, caller, "invitation.withdraw", id, found);
  });
  publish(db, caller, { person: [id] });
  return { id };
}

/**
 * What somebody may not grant any more is not granted by a link of theirs either.
 *
 * @param role what they have from now on; null: nothing.
 * @returns the addresses that were invited.
 */
export async function withdrawInvitationsOf(
  tx: Tx,
  { workspaceId }: Caller,
  userId: string,
  role: Role | null,
): Promise<string[]> {
  // Raw because it compares roles by rank and looks into the actor.
  const rows = await tx.$queryRaw<{ email: string }[]>`
    DELETE FROM invitations
     WHERE workspace_id = ${workspaceId}::int AND invited_by->>'id' = ${userId}
       AND (${role}::"Role" IS NULL OR ${role}::"Role" < 'admin' OR role > ${role}::"Role")
    RETURNING email`;
  return rows.map(({ email }) => email);
}

function gone(): AppError {
  return new AppError("not_found", "There is no such invitation: it was accepted or withdrawn.");
}
