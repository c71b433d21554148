import { decode, encode } from "next-auth/jwt";
import { z } from "zod";
import { type Principal, scopesOfRole } from "@/server/access/principal";
import type { Db, Role } from "@/server/db";
import { env } from "@/server/env";
import { deriveKey } from "@/server/vault/key-ring";

/** How long a sign-in lasts. */
export const SESSION_SECONDS = 30 * 24 * 60 * 60;

/** What the sealed cookie says; everything else is read from the database per request. */
const claimsSchema = z.object({ sub: z.string(), sessionVersion: z.int() });
export type SessionClaims = z.infer<typeof claimsSchema>;

/** NextAuth's own names: the prefix makes browsers refuse the cookie without https. */
export function sessionCookieName(isSecure: boolean): string {
  return isSecure ? "__Secure-next-auth.session-token" : "next-auth.session-token";
}

/** NextAuth seals its cookies under this; it comes from TIDEMARK_SECRET, so changing that ends all sessions. */
export function sessionSecret(): string {
  return deriveKey(env().TIDEMARK_SECRET, "session").toString("base64url");
}

/** Seals claims the way NextAuth does. */
export function sealSession(claims: SessionClaims): Promise<string> {
  return encode({ token: claims, secret: sessionSecret(), maxAge: SESSION_SECONDS });
}

/**
 * The person behind a request's cookies, or null: no cookie, a forged or expired one, signed out
 * everywhere since, or no member of any workspace any more.
 */
export async function readSession(
  db: Db,
  cookies: Record<string, string>,
  { isSecure }: { isSecure: boolean },
): Promise<Principal | null> {
  const claims = await openClaims(cookies[sessionCookieName(isSecure)]);
  if (!claims) return null;
  const member = await findMember(db, claims);
  if (!member) return null;
  return {
    caller: { workspaceId: member.workspaceId, actor: { type: "user", id: member.id, name: member.name } },
    scopes: scopesOfRole(member.role),
    role: member.role,
    userId: member.id,
    tokenId: null,
    sessionVersion: claims.sessionVersion,
  };
}

/** Do a cookie's claims still hold? */
export async function isSessionCurrent(db: Db, claims: unknown): Promise<boolean> {
  const parsed = claimsSchema.safeParse(claims);
  return parsed.success && (await findMember(db, parsed.data)) !== null;
}

type Member = { id: string; name: string; workspaceId: number; role: Role };

async function findMember(db: Db, { sub, sessionVersion }: SessionClaims): Promise<Member | null> {
  // Raw because it is one statement: version, membership and role as of the same instant. Someone in
  // several workspaces works in the one they joined first.
  const [member] = await db.$queryRaw<Member[]>`
    SELECT u.id, u.name, m.workspace_id AS "workspaceId", m.role::text AS role
      FROM users u JOIN memberships m ON m.user_id = u.id
     WHERE u.id = ${sub} AND u.session_version = ${sessionVersion}::int
     ORDER BY m.created_at, m.workspace_id
     LIMIT 1`;
  return member ?? null;
}

async function openClaims(sealed: string | undefined): Promise<SessionClaims | null> {
  if (!sealed) return null;
  try {
    return claimsSchema.safeParse(await decode({ token: sealed, secret: sessionSecret() })).data ?? null;
  } catch {
    return null; // another installation's cookie on the same host name, or a forgery
  }
}
