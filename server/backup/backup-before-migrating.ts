import pg from "pg";
import { type Backup, backUpStore } from "./back-up-store";
import { BackupError } from "./backup-error";
import { safetyFile } from "./safety-file";
import { isStoreEmpty } from "./take-store";

/**
 * Backs up a store that holds something before migrations change it.
 *
 * @returns null when nobody has set up anything yet.
 * @throws BackupError; then nothing must be migrated.
 */
export async function backUpBeforeMigrating(connectionString: string): Promise<Backup | null> {
  const client = new pg.Client({ connectionString, application_name: "tidemark-migrate" });
  await client.connect();
  const isEmpty = await isStoreEmpty(client).finally(() => client.end());
  if (isEmpty) return null;
  try {
    return await backUpStore(connectionString, safetyFile("before-migrating"));
  } catch (error) {
    if (!(error instanceof BackupError)) throw error;
    throw new BackupError(
      `Before it migrates the store Tidemark backs it up, and that failed. Nothing was changed. ${error.message}`,
      { cause: error },
    );
  }
}
