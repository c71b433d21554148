import type { Db } from "@/server/db";
import { publish } from "@/server/live/publish";
import { inTransaction } from "@/server/transaction";
import { deleteCredential } from "@/server/vault/credentials";

/**
 * Removes a source that is being deleted, once its last feed is gone.
 *
 * @returns false while feeds are left.
 */
export async function finishSourceDeletion(
  db: Db,
  { workspaceId, sourceId }: { workspaceId: number; sourceId: string },
): Promise<boolean> {
  const isGone = await inTransaction(db, async (tx) => {
    // Raw because Prisma cannot say "and has none". The foreign key would cascade to feeds otherwise.
    const [gone] = await tx.$queryRaw<{ credentialId: string | null; lookCredentialId: string | null }[]>`
      DELETE FROM sources s
       WHERE s.workspace_id = ${workspaceId}::int AND s.id = ${sourceId} AND s.state = 'deleting'
         AND NOT EXISTS (SELECT 1 FROM feeds f WHERE f.workspace_id = s.workspace_id AND f.source_id = s.id)
      RETURNING s.credential_id AS "credentialId", s.look_credential_id AS "lookCredentialId"`;
    for (const id of [gone?.credentialId, gone?.lookCredentialId]) {
      if (id) await deleteCredential(tx, workspaceId, id);
    }
    if (gone) await tx.refusedFeed.deleteMany({ where: { workspaceId, sourceId } });
    return gone !== undefined;
  });
  if (isGone) publish(db, { workspaceId }, { source: [sourceId] });
  return isGone;
}
