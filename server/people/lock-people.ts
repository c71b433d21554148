import type { Caller } from "@/server/actor";
import type { Role, Tx } from "@/server/db";
import { AppError } from "@/server/errors";
import { ROLES } from "./choices";

/** Who belongs to the workspace, as of now and until the transaction ends. */
export type People = {
  /** The role of whoever acts. */
  own: Role;
  /** By user id. */
  roles: ReadonlyMap<string, Role>;
};

/**
 * Holds the workspace's people still. Of two who change them at once one waits here and then sees what the other
 * did: two owners who remove each other, or somebody whose own role was taken away meanwhile, are told so.
 *
 * @throws AppError forbidden when the caller is no admin, or not any more: the request's own check is as old as
 *   the request. Tokens never are: what they add would outlive their revocation.
 */
export async function lockPeople(tx: Tx, caller: Caller): Promise<People> {
  const { workspaceId, actor } = caller;
  // Raw because Prisma has no row locks. The workspace's row stands for all of them; the weaker of the two write
  // locks, so that what only refers to it need not wait.
  await tx.$queryRaw`SELECT id FROM workspaces WHERE id = ${workspaceId}::int FOR NO KEY UPDATE`;
  // A statement of its own: its snapshot is younger than the lock.
  const rows = await tx.membership.findMany({ where: { workspaceId }, select: { userId: true, role: true } });
  const roles = new Map(rows.map((row) => [row.userId, row.role]));
  const own = actor.type === "user" ? roles.get(actor.id) : undefined;
  if (own !== "admin" && own !== "owner") {
    throw new AppError("forbidden", "Only admins and owners of the workspace manage its people.");
  }
  return { own, roles };
}

/**
 * Nobody makes, unmakes or invites somebody above themselves.
 *
 * @throws AppError forbidden
 */
export function requireRank({ own }: Pick<People, "own">, ...roles: Role[]): void {
  const rank = ROLES.indexOf(own);
  if (roles.every((role) => ROLES.indexOf(role) <= rank)) return;
  throw new AppError("forbidden", "Only an owner can make somebody an owner, or change one.");
}

/** @throws AppError not_found */
export function requireRole({ roles }: People, userId: string): Role {
  const role = roles.get(userId);
  if (!role) throw new AppError("not_found", "There is no such person in this workspace.");
  return role;
}

/**
 * A workspace without an owner could be neither renamed nor given to anybody.
 *
 * @throws AppError conflict when this is the last one.
 */
export function requireAnotherOwner({ roles }: People, userId: string): void {
  if (roles.get(userId) !== "owner") return;
  const owners = [...roles.values()].filter((role) => role === "owner");
  if (owners.length > 1) return;
  throw new AppError("conflict", "A workspace needs an owner. Make somebody else an owner first.");
}
