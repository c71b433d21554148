import type { z } from "zod";
import { audit } from "@/server/access/audit";
import { forgetTokens } from "@/server/access/authenticate-token";
import { parseInput } from "@/server/access/parse-input";
import type { Caller } from "@/server/actor";
import type { Db, Role } from "@/server/db";
import { publish } from "@/server/live/publish";
import { inTransaction } from "@/server/transaction";
import { lockPeople, requireAnotherOwner, requireRank, requireRole } from "./lock-people";
import { revokeTokensOf } from "./revoke-tokens-of";
import { changeRoleInput } from "./schema";
import { withdrawInvitationsOf } from "./withdraw-invitation";

/**
 * Gives somebody another role. It holds with their next request, and their open pages are told within a second.
 * Their tokens are the workspace's, and stay unless it is asked that they go.
 *
 * @returns The tokens of theirs that were revoked; none when the role is theirs already.
 *
 * @throws AppError not_found; forbidden for who is no admin, and for an admin where an owner is made or unmade;
 *   conflict when the last owner would be none any more.
 */
export async function changeRole(
  db: Db,
  caller: Caller,
  input: z.input<typeof changeRoleInput>,
): Promise<{ userId: string; role: Role; revokedTokens: string[] }> {
  const { userId, role, revokeTokens } = parseInput(changeRoleInput, input);
  const revokedTokens = await inTransaction(db, async (tx) => {
    const people = await lockPeople(tx, caller);
    const before = requireRole(people, userId);
    if (before === role) return null;
    requireRank(people, before, role);
    requireAnotherOwner(people, userId);
    const user = await tx.user.findUniqueOrThrow({
      where: { id: userId },
      select: { name: true, email: true },
    });
    await tx.membership.update({
      where: { workspaceId_userId: { workspaceId: caller.workspaceId, userId } },
      data: { role },
    });
    const withdrawn = await withdrawInvitationsOf(tx, caller, userId, role);
    const revoked = revokeTokens ? await revokeTokensOf(tx, caller, userId) : [];
    await audit(tx, caller, "person.change_role", userId, {
      ...user,
      before,
      after: role,
      withdrawn,
      revoked,
    });
    return revoked;
  });
  if (revokedTokens === null) return { userId, role, revokedTokens: [] };
  if (revokedTokens.length > 0) forgetTokens(db);
  publish(db, caller, { person: [userId], token: revokedTokens });
  return { userId, role, revokedTokens };
}
