import type { Caller } from "@/server/actor";
import type { Tx } from "@/server/db";
import { AppError } from "@/server/errors";
import { isId } from "@/server/ids";

export type LockedSource = {
  id: string;
  type: string;
  runsOn: "cloud" | "agent" | "api";
  state: "active" | "paused" | "deleting";
  credentialId: string | null;
};

/**
 * Locks a source's row until the transaction ends. Order: source before feed, always.
 *
 * @param mode `share` for adding feeds (many at once), `update` for changing the source itself.
 * @throws AppError not_found, also for another workspace's source; conflict while it is being deleted.
 */
export async function lockSource(
  tx: Tx,
  { workspaceId }: Caller,
  sourceId: string,
  mode: "share" | "update",
): Promise<LockedSource> {
  const source = isId("src", sourceId) ? await readLocked(tx, workspaceId, sourceId, mode) : undefined;
  if (!source) throw sourceNotFound();
  if (source.state === "deleting") throw new AppError("conflict", "This source is being deleted.");
  return source;
}

// Raw because Prisma has no row locks.
async function readLocked(tx: Tx, workspaceId: number, sourceId: string, mode: "share" | "update") {
  const [source] =
    mode === "share"
      ? await tx.$queryRaw<LockedSource[]>`
          SELECT id, type, runs_on::text AS "runsOn", state::text, credential_id AS "credentialId"
            FROM sources WHERE workspace_id = ${workspaceId}::int AND id = ${sourceId} FOR SHARE`
      : await tx.$queryRaw<LockedSource[]>`
          SELECT id, type, runs_on::text AS "runsOn", state::text, credential_id AS "credentialId"
            FROM sources WHERE workspace_id = ${workspaceId}::int AND id = ${sourceId} FOR UPDATE`;
  return source;
}

export function sourceNotFound(): AppError {
  return new AppError("not_found", "There is no such source in this workspace.");
}
