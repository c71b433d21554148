import type { Principal } from "@/server/access/principal";
import type { Db } from "@/server/db";

/**
 * Which of these may not listen any more: signed out everywhere, no member, another role (whose hints
 * differ), a token that was revoked or expired. At most two queries, however many.
 */
export async function findRevoked(db: Db, principals: readonly Principal[]): Promise<Set<Principal>> {
  const people = principals.filter((principal) => principal.userId !== null);
  const tokens = principals.filter((principal) => principal.userId === null && principal.tokenId !== null);
  const [members, living] = await Promise.all([readMembers(db, people), readTokens(db, tokens)]);
  return new Set([
    ...people.filter((principal) => !isMember(principal, members)),
    ...tokens.filter(({ caller, tokenId }) => !living.has(`${caller.workspaceId}:${tokenId}`)),
  ]);
}

type Member = { userId: string; workspaceId: number; sessionVersion: number; role: string };

function isMember({ userId, caller, role, sessionVersion }: Principal, members: Member[]): boolean {
  return members.some(
    (member) =>
      member.userId === userId &&
      member.workspaceId === caller.workspaceId &&
      member.role === role &&
      (sessionVersion === undefined || member.sessionVersion === sessionVersion),
  );
}

async function readMembers(db: Db, people: Principal[]): Promise<Member[]> {
  if (people.length === 0) return [];
  const ids = [...new Set(people.map((principal) => principal.userId))];
  // Raw because version, membership and role must be of the same instant.
  return db.$queryRaw<Member[]>`
    SELECT u.id AS "userId", m.workspace_id AS "workspaceId", u.session_version AS "sessionVersion", m.role::text
      FROM users u JOIN memberships m ON m.user_id = u.id
     WHERE u.id = ANY(${ids}::text[])`;
}

async function readTokens(db: Db, tokens: Principal[]): Promise<Set<string>> {
  if (tokens.length === 0) return new Set();
  const rows = await db.$queryRaw<{ key: string }[]>`
    SELECT t.workspace_id || ':' || t.id AS key
      FROM unnest(${tokens.map(({ caller }) => caller.workspaceId)}::int[],
                  ${tokens.map(({ tokenId }) => tokenId)}::text[]) AS asked(workspace_id, id)
      JOIN api_tokens t ON t.workspace_id = asked.workspace_id AND t.id = asked.id
     WHERE t.revoked_at IS NULL AND (t.expires_at IS NULL OR t.expires_at > now())`;
  return new Set(rows.map((row) => row.key));
}
