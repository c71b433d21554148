import type { z } from "zod";
import { audit } from "@/server/access/audit";
import { parseInput } from "@/server/access/parse-input";
import type { Caller } from "@/server/actor";
import type { Db } from "@/server/db";
import { AppError } from "@/server/errors";
import { publish } from "@/server/live/publish";
import { inTransaction } from "@/server/transaction";
import { renameWorkspaceInput } from "./schema";

/**
 * Owners name their workspace: the name is the workspace's own, unlike its settings, which admins change.
 *
 * @throws AppError forbidden for who is no owner, invalid_request.
 */
export async function renameWorkspace(
  db: Db,
  caller: Caller,
  input: z.input<typeof renameWorkspaceInput> & { userId: string },
): Promise<{ name: string }> {
  const { name } = parseInput(renameWorkspaceInput, input);
  const { workspaceId } = caller;
  await inTransaction(db, async (tx) => {
    const [before] = await tx.$queryRaw<{ name: string }[]>`
      SELECT name FROM workspaces WHERE id = ${workspaceId}::int FOR NO KEY UPDATE`;
    // After the lock: whoever takes the role away holds the same one.
    const isOwner = await tx.membership.count({
      where: { workspaceId, userId: input.userId, role: "owner" },
    });
    if (!before || isOwner === 0) {
      throw new AppError("forbidden", "Only an owner renames the workspace.");
    }
    await tx.workspace.update({ where: { id: workspaceId }, data: { name } });
    await audit(tx, caller, "workspace.rename", String(workspaceId), { before: before.name, after: name });
  });
  publish(db, caller, { workspace: [String(workspaceId)] });
  return { name };
}
