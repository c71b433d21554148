import { SCOPES, type Scope } from "@/server/access/principal";
import { sealSession } from "@/server/access/read-session";
import { createToken, revokeToken } from "@/server/access/tokens";
import type { Caller } from "@/server/actor";
import type { Db, Role } from "@/server/db";
import { newId } from "@/server/ids";

/** Who asks, as headers. */
export type Headers = Record<string, string>;

export type Callers = {
  nobody: Headers;
  expired: Headers;
  revoked: Headers;
  /** A token with everything. */
  all: Headers;
  /** A token with this scope alone. */
  only: Record<Scope, Headers>;
  /** A token with everything else. */
  without: Record<Scope, Headers>;
  people: Record<"viewer" | "member" | "admin" | "owner", Headers>;
};

/**
 * What each role may, written down once more: the matrix must notice when the server's own table changes.
 */
export const ROLE_MAY: Record<keyof Callers["people"], readonly Scope[]> = {
  viewer: ["sources:read", "documents:read", "runs:read", "changes:read", "search:read"],
  member: [
    "sources:read",
    "documents:read",
    "runs:read",
    "changes:read",
    "search:read",
    "sources:write",
    "documents:write",
    "runs:write",
  ],
  admin: SCOPES,
  owner: SCOPES,
};

/** One of each kind in a workspace. */
export async function createCallers(db: Db, caller: Caller): Promise<Callers> {
  const bearer = async (scopes: readonly Scope[]) => {
    const { token } = await createToken(db, caller, { name: "matrix", scopes });
    return { authorization: `Bearer ${token}` };
  };
  const expired = await createToken(db, caller, { name: "expired", scopes: SCOPES });
  await db.apiToken.updateMany({
    where: { id: expired.id },
    data: { expiresAt: new Date(Date.now() - 1000) },
  });
  const revoked = await createToken(db, caller, { name: "revoked", scopes: SCOPES });
  await revokeToken(db, caller, revoked.id);
  const perScope = async (scopesOf: (scope: Scope) => readonly Scope[]) => {
    const headers = {} as Record<Scope, Headers>;
    for (const scope of SCOPES) headers[scope] = await bearer(scopesOf(scope));
    return headers;
  };
  return {
    nobody: {},
    expired: { authorization: `Bearer ${expired.token}` },
    revoked: { authorization: `Bearer ${revoked.token}` },
    all: await bearer(SCOPES),
    only: await perScope((scope) => [scope]),
    without: await perScope((scope) => SCOPES.filter((other) => other !== scope)),
    people: {
      viewer: await signIn(db, caller, "viewer"),
      member: await signIn(db, caller, "member"),
      admin: await signIn(db, caller, "admin"),
      owner: await signIn(db, caller, "owner"),
    },
  };
}

/** Someone with a role, by the cookie of their browser. */
async function signIn(db: Db, { workspaceId }: Caller, role: Role): Promise<Headers> {
  const id = newId("usr");
  const user = await db.user.create({
    data: { id, email: `${id}@example.org`, name: role },
  });
  await db.membership.create({ data: { workspaceId, userId: id, role } });
  const cookie = await sealSession({ sub: id, sessionVersion: user.sessionVersion });
  return { cookie: `next-auth.session-token=${cookie}` };
}
