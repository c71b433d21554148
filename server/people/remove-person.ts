import type { z } from "zod";
import { audit } from "@/server/access/audit";
import { forgetTokens } from "@/server/access/authenticate-token";
import { parseInput } from "@/server/access/parse-input";
import type { Caller } from "@/server/actor";
import type { Db } from "@/server/db";
import { publish } from "@/server/live/publish";
import { inTransaction } from "@/server/transaction";
import { lockPeople, requireAnotherOwner, requireRank, requireRole } from "./lock-people";
import { revokeTokensOf } from "./revoke-tokens-of";
import { removePersonInput } from "./schema";
import { withdrawInvitationsOf } from "./withdraw-invitation";

/**
 * Takes somebody out of the workspace, oneself included. Their sessions end with the next request, their open pages
 * within a second. An account that belongs nowhere any more is deleted: the same person can be invited again.
 *
 * @returns The tokens of theirs that were revoked.
 * @throws AppError not_found; forbidden for who is no admin, and for an admin who removes an owner; conflict for the
 *   last owner.
 */
export async function removePerson(
  db: Db,
  caller: Caller,
  input: z.input<typeof removePersonInput>,
): Promise<{ userId: string; revokedTokens: string[] }> {
  const { userId, revokeTokens } = parseInput(removePersonInput, input);
  const { workspaceId } = caller;
  const revokedTokens = await inTransaction(db, async (tx) => {
    const people = await lockPeople(tx, caller);
    const role = requireRole(people, userId);
    requireRank(people, role);
    requireAnotherOwner(people, userId);
    // Locked, so that of two workspaces that let the same person go at once one sees that it is the last.
    const [user] = await tx.$queryRaw<{ name: string; email: string }[]>`
      SELECT name, email FROM users WHERE id = ${userId} FOR UPDATE`;
    await tx.membership.delete({ where: { workspaceId_userId: { workspaceId, userId } } });
    const { count: deleted } = await tx.user.deleteMany({ where: { id: userId, memberships: { none: {} } } });
    // Still somebody elsewhere: sessions must not slip over to that workspace unnoticed.
    if (deleted === 0) {
      await tx.user.update({ where: { id: userId }, data: { sessionVersion: { increment: 1 } } });
    }
    const withdrawn = await withdrawInvitationsOf(tx, caller, userId, null);
    const tokens = revokeTokens ? await revokeTokensOf(tx, caller, userId) : [];
    await audit(tx, caller, "person.remove", userId, { ...user, role, withdrawn, revoked: tokens });
    return tokens;
  });
  if (revokedTokens.length > 0) forgetTokens(db);
  publish(db, caller, { person: [userId], token: revokedTokens });
  return { userId, revokedTokens };
}
