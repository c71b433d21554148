import type { z } from "zod";
import { audit } from "@/server/access/audit";
import { parseInput } from "@/server/access/parse-input";
import type { Caller } from "@/server/actor";
import type { Db } from "@/server/db";
import { AppError } from "@/server/errors";
import { publish } from "@/server/live/publish";
import { inTransaction } from "@/server/transaction";
import { updateSettingsInput } from "./schema";

export type WorkspaceSettings = {
  /**
   * Days after which a deleted document is purged. A follower of the change feed who stays away longer
   * has to start again from nothing; one who comes back within them never has to.
   */
  retentionDays: number;
  /** Days for which runs and their events are kept. */
  runRetentionDays: number;
};

const SELECTED = { retentionDays: true, runRetentionDays: true } as const;

export async function getSettings(db: Db, caller: Caller): Promise<WorkspaceSettings> {
  return db.workspace.findUniqueOrThrow({ where: { id: caller.workspaceId }, select: SELECTED });
}

/**
 * Changes how long the workspace keeps what it no longer needs. What a shorter time makes due goes with
 * the next maintenance round and does not come back; a longer one brings back nothing.
 *
 * @throws AppError invalid_request
 */
export async function updateSettings(
  db: Db,
  caller: Caller,
  input: z.input<typeof updateSettingsInput>,
): Promise<WorkspaceSettings> {
  const changes = parseInput(updateSettingsInput, input);
  const settings = await inTransaction(db, async (tx) => {
    // Raw because Prisma has no FOR UPDATE; the audit says what it was before.
    const [before] = await tx.$queryRaw<WorkspaceSettings[]>`
      SELECT retention_days AS "retentionDays", run_retention_days AS "runRetentionDays"
        FROM workspaces WHERE id = ${caller.workspaceId}::int FOR NO KEY UPDATE`;
    if (!before) throw new AppError("not_found", "There is no such workspace.");
    const after = await tx.workspace.update({
      where: { id: caller.workspaceId },
      data: changes,
      select: SELECTED,
    });
    await audit(tx, caller, "workspace.update_settings", String(caller.workspaceId), { before, after });
    return after;
  });
  publish(db, caller, { workspace: [String(caller.workspaceId)] });
  return settings;
}
