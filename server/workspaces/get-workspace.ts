import type { Principal } from "@/server/access/principal";
import type { Db, Role } from "@/server/db";

export type CurrentWorkspace = {
  workspace: { id: number; name: string };
  /** Null for a token. */
  user: { id: string; name: string; email: string } | null;
  role: Role | null;
};

/** Whose data a caller works on, and who the caller is. */
export async function getWorkspace(db: Db, principal: Principal): Promise<CurrentWorkspace> {
  const { caller, role, userId } = principal;
  const [workspace, user] = await Promise.all([
    db.workspace.findUniqueOrThrow({ where: { id: caller.workspaceId }, select: { id: true, name: true } }),
    userId === null
      ? null
      : db.user.findUnique({ where: { id: userId }, select: { id: true, name: true, email: true } }),
  ]);
  return { workspace, user, role };
}
