import type { Db } from "@/server/db";
import { AppError } from "@/server/errors";
import { CredentialUnreadable, openRow, saveCredential } from "@/server/vault/credentials";
import { keyRing } from "@/server/vault/key-ring";

/**
 * Seals every credential under the current TIDEMARK_SECRET, after it was changed and the former one
 * put into TIDEMARK_SECRET_PREVIOUS. Can be repeated and may run beside a working server.
 *
 * @returns How many were sealed anew, and how many cannot be opened with any key known here.
 */
export async function resealCredentials(db: Db): Promise<{ resealed: number; unreadable: number }> {
  const [current] = keyRing();
  const stale = await db.credential.findMany({ where: { keyVersion: { not: current.version } } });
  const counts = { resealed: 0, unreadable: 0 };
  for (const row of stale) {
    try {
      await saveCredential(db, row.workspaceId, openRow(row), row.id, row.revision);
      counts.resealed += 1;
    } catch (error) {
      if (error instanceof CredentialUnreadable) counts.unreadable += 1;
      // Someone saved or removed it meanwhile; what they saved is sealed under the current key.
      else if (!(error instanceof AppError && error.code === "conflict")) throw error;
    }
  }
  return counts;
}
