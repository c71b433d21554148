import { audit } from "@/server/access/audit";
import { findMeantWorkspaces } from "@/server/access/demo";
import { parseInput } from "@/server/access/parse-input";
import { hashPassword } from "@/server/access/passwords";
import { emailInput, passwordInput } from "@/server/access/schema";
import { hasOwner, lockInstance } from "@/server/access/setup";
import { insertMember } from "@/server/access/users";
import type { Actor, Caller } from "@/server/actor";
import type { Db, Role, Tx } from "@/server/db";
import { AppError } from "@/server/errors";
import { newId } from "@/server/ids";
import { inTransaction } from "@/server/transaction";

/**
 * Creates a person from the command line. In an installation without a workspace, or with the demo's
 * alone, it creates that too, which takes an owner: otherwise the set-up page would stay open for whoever comes first.
 *
 * @param workspaceId Needed only when there are several.
 * @throws AppError invalid_request, conflict (e-mail taken), not_found (no such workspace).
 */
export async function createUser(
  db: Db,
  actor: Actor,
  input: { email: string; password: string; name?: string; role: Role; workspaceId?: number },
): Promise<{ userId: string; workspaceId: number }> {
  const email = parseInput(emailInput, input.email);
  const passwordHash = await hashPassword(parseInput(passwordInput, input.password));
  const user = { id: newId("usr"), email, name: input.name?.trim() || email, passwordHash, role: input.role };
  return inTransaction(db, async (tx) => {
    await lockInstance(tx);
    if (input.role !== "owner" && !(await hasOwner(tx))) {
      throw new AppError("invalid_request", "The first user must be an owner: use --role owner.");
    }
    const workspaceId = await chooseWorkspace(tx, actor, input.workspaceId);
    const caller: Caller = { workspaceId, actor };
    await insertMember(tx, caller, user);
    if (input.role === "owner") await tx.instance.updateMany({ data: { setupCodeHash: null } });
    return { userId: user.id, workspaceId };
  });
}

async function chooseWorkspace(tx: Tx, actor: Actor, wanted: number | undefined): Promise<number> {
  const [only, another] = await findMeantWorkspaces(tx, wanted);
  if (another)
    throw new AppError("invalid_request", "There are several workspaces: say which with --workspace ID.");
  if (only) return only.id;
  if (wanted !== undefined) throw new AppError("not_found", `There is no workspace ${wanted}.`);
  const { id } = await tx.workspace.create({ data: { name: "Workspace" }, select: { id: true } });
  await audit(tx, { workspaceId: id, actor }, "workspace.create", String(id), { name: "Workspace" });
  return id;
}
