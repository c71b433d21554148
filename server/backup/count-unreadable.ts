import type { Db } from "@/server/db";
import { CredentialUnreadable, openRow } from "@/server/vault/credentials";

/** How many stored upstream credentials cannot be opened with the secrets known here. */
export async function countUnreadableCredentials(db: Db): Promise<{ total: number; unreadable: number }> {
  const rows = await db.credential.findMany();
  let unreadable = 0;
  for (const row of rows) {
    try {
      openRow(row);
    } catch (error) {
      if (!(error instanceof CredentialUnreadable)) throw error;
      unreadable += 1;
    }
  }
  return { total: rows.length, unreadable };
}
