import { audit } from "@/server/access/audit";
import type { Caller } from "@/server/actor";
import type { Tx } from "@/server/db";

/**
 * Ends every API token that somebody made here. After the commit, forgetTokens() makes this process refuse them.
 *
 * @returns the ids of those that still held.
 */
export async function revokeTokensOf(tx: Tx, caller: Caller, userId: string): Promise<string[]> {
  const revoked = await tx.apiToken.updateManyAndReturn({
    where: { workspaceId: caller.workspaceId, createdBy: userId, revokedAt: null },
    data: { revokedAt: new Date() },
    select: { id: true, name: true },
  });
  for (const { id, name } of revoked) await audit(tx, caller, "token.revoke", id, { name });
  return revoked.map(({ id }) => id);
}
