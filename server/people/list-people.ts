import type { Principal } from "@/server/access/principal";
import { type Actor, actorName } from "@/server/actor";
import type { Db, Role } from "@/server/db";

export type ListedPerson = {
  id: string;
  name: string;
  email: string;
  role: Role;
  joinedAt: Date;
  /** Only admins are told. */
  lastSignInAt: Date | null;
  /** API tokens of this person's that still open something. Only admins are told; 0 for others. */
  tokenCount: number;
};

export type ListedInvitation = {
  id: string;
  email: string;
  role: Role;
  /** The name of whoever asked. */
  invitedBy: string;
  createdAt: Date;
  expiresAt: Date;
};

export type People = { people: ListedPerson[]; invitations: ListedInvitation[] };

/** Everybody in the workspace, by name; for admins also who was invited, the newest first. */
export async function listPeople(db: Db, { caller, scopes }: Principal): Promise<People> {
  const isAdmin = scopes.has("admin");
  const [people, invitations] = await Promise.all([
    readPeople(db, caller.workspaceId),
    isAdmin ? readInvitations(db, caller.workspaceId) : [],
  ]);
  return {
    people: isAdmin ? people : people.map((person) => ({ ...person, lastSignInAt: null, tokenCount: 0 })),
    invitations,
  };
}

function readPeople(db: Db, workspaceId: number): Promise<ListedPerson[]> {
  // Raw because the tokens are counted in the same statement: one query, however many people.
  return db.$queryRaw<ListedPerson[]>`
    SELECT u.id, u.name, u.email, m.role::text, m.created_at AS "joinedAt", u.last_sign_in_at AS "lastSignInAt",
           coalesce(t.usable, 0)::int AS "tokenCount"
      FROM memberships m
      JOIN users u ON u.id = m.user_id
      LEFT JOIN (SELECT created_by, count(*) AS usable FROM api_tokens
                  WHERE workspace_id = ${workspaceId}::int AND revoked_at IS NULL
                    AND (expires_at IS NULL OR expires_at > now())
                  GROUP BY created_by) t ON t.created_by = u.id
     WHERE m.workspace_id = ${workspaceId}::int
     ORDER BY lower(u.name), u.id`;
}

async function readInvitations(db: Db, workspaceId: number): Promise<ListedInvitation[]> {
  const rows = await db.invitation.findMany({
    where: { workspaceId },
    orderBy: { id: "desc" },
    select: { id: true, email: true, role: true, invitedBy: true, createdAt: true, expiresAt: true },
  });
  return rows.map((row) => ({ ...row, invitedBy: actorName(row.invitedBy as Actor) }));
}
