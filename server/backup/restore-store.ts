import { pipeline } from "node:stream/promises";
import pg from "pg";
import copy from "pg-copy-streams";
import { createMigrationTable, readApplied, runMigration } from "@/server/migrations/migration-table";
import { type Migration, readMigrations } from "@/server/migrations/read-migrations";
import type { ArchivedTable, ArchiveHeader } from "./archive-format";
import { type Backup, backUpStore } from "./back-up-store";
import { BackupError } from "./backup-error";
import { listOwnedObjects, type OwnedObjects } from "./owned-objects";
import { readArchive, verifyArchive } from "./read-archive";
import { carryOver, settleRestored } from "./settle-restored";
import { fixTextForms, listTables, nameList } from "./store-catalog";
import { disconnectServers, dropStore, isStoreEmpty, lockOutEverybody, lockOutWriters } from "./take-store";

export type RestoreOptions = {
  /** Where what is there now is backed up to; asked only when the store holds something. */
  safetyFile: string;
  /** Asked before anything is touched when the store holds something; false leaves it as it is. */
  confirm?(header: ArchiveHeader): Promise<boolean>;
  /** Of migrations; the project's when absent. */
  directory?: string;
};

export type Restored = {
  header: ArchiveHeader;
  /** What was there before; null when the store was empty. */
  safety: Backup | null;
  /** Migrations that the archive did not have yet. */
  migrated: string[];
  epoch: string;
  /** Runs that were under way when the backup was made. */
  cancelledRuns: number;
};

/**
 * Puts a backup in place of the store, all of it in one transaction: either everything is as the backup
 * says, or nothing has changed. The archive is read to its end before anything is touched.
 *
 * Servers may be running: they wait, are disconnected, and find another epoch, so every cursor of the
 * change feed expires. Its own tables are dropped and made anew in the schema of the backup's time,
 * filled, and migrated to this version. What else lives in the database stays.
 *
 * @returns null when `confirm` said no.
 * @throws BackupError; nothing has changed then.
 */
export async function restoreStore(
  connectionString: string,
  file: string,
  { safetyFile, confirm, directory }: RestoreOptions,
): Promise<Restored | null> {
  const header = await verifyArchive(file);
  const migrations = await readMigrations(directory);
  const { ofArchive, later } = splitMigrations(header, migrations);
  const client = new pg.Client({ connectionString, application_name: "tidemark-restore" });
  await client.connect();
  try {
    const owned = listOwnedObjects(migrations);
    refuseNewerStore(await readApplied(client), migrations);
    if (confirm && !(await isStoreEmpty(client)) && !(await confirm(header))) return null;

    await client.query("BEGIN");
    await fixTextForms(client);
    await lockOutWriters(client, owned);
    const wasEmpty = await isStoreEmpty(client);
    // Under the lock, which lets others read but not write: nothing is written after it and lost.
    const safety = wasEmpty ? null : await backUpStore(connectionString, safetyFile, { directory });
    const carried = await carryOver(client, owned);
    await lockOutEverybody(client, owned);
    await dropStore(client, owned);
    await createMigrationTable(client);
    for (const migration of ofArchive) await runMigration(client, migration);
    await loadRows(client, file, header, owned);
    for (const migration of later) await runMigration(client, migration);
    const settled = await settleRestored(client, header, carried);
    await disconnectServers(client);
    await client.query("COMMIT");
    // Once more: who connected in between may have planned by what is gone.
    await disconnectServers(client);
    return { header, safety, migrated: later.map(({ name }) => name), ...settled };
  } catch (error) {
    throw explain(error);
  } finally {
    await client.end().catch(() => {});
  }
}

/** @throws BackupError when the archive has what this version does not know. */
function splitMigrations(header: ArchiveHeader, migrations: readonly Migration[]) {
  const ours = new Map(migrations.map((migration) => [migration.name, migration]));
  for (const { name, checksum } of header.migrations) {
    const known = ours.get(name);
    if (!known) {
      throw new BackupError(
        `This backup was made by a newer Tidemark (${header.appVersion}; it has ${name}). Update Tidemark, then restore it.`,
      );
    }
    if (known.checksum !== checksum) {
      throw new BackupError(
        `This backup was made where prisma/migrations/${name}/migration.sql was another one. ` +
          "Restore it with the Tidemark it was made with.",
      );
    }
  }
  const inArchive = new Set(header.migrations.map(({ name }) => name));
  return {
    ofArchive: migrations.filter(({ name }) => inArchive.has(name)),
    later: migrations.filter(({ name }) => !inArchive.has(name)),
  };
}

/** Tables that this version has never heard of could not be told from a stranger's. */
function refuseNewerStore(applied: ReadonlyMap<string, string>, migrations: readonly Migration[]): void {
  const known = new Set(migrations.map(({ name }) => name));
  const unknown = [...applied.keys()].filter((name) => !known.has(name));
  if (unknown.length === 0) return;
  throw new BackupError(
    `The store in this database was migrated by a newer Tidemark (it has ${unknown.join(", ")}), so this one ` +
      "does not replace it. Update Tidemark, or restore into an empty database: another DATABASE_URL, or, for the " +
      "embedded one, another TIDEMARK_DATA_DIR.",
  );
}

async function loadRows(
  client: pg.Client,
  file: string,
  header: ArchiveHeader,
  owned: OwnedObjects,
): Promise<void> {
  const there = (await listTables(client, owned.tables)).map(({ name }) => name);
  const missing = header.tables.find(({ name }) => !there.includes(name));
  if (missing)
    throw new BackupError(`This backup has a table, ${missing.name}, that its own migrations do not make.`);
  // Migrations insert rows too, and the archive has them as they became.
  await client.query(`TRUNCATE ${nameList(client, there)}`);
  await readArchive(file, {
    async header() {},
    async table(table, rows) {
      await loadTable(client, table, rows);
    },
  });
  for (const { name, lastValue } of header.sequences) {
    if (BigInt(lastValue) < 1n) continue;
    await client.query("SELECT setval(quote_ident($1)::regclass, greatest($2::bigint, 1))", [
      name,
      lastValue,
    ]);
  }
}

async function loadTable(
  client: pg.Client,
  { name, columns }: ArchivedTable,
  rows: AsyncIterable<Buffer>,
): Promise<void> {
  // COPY takes no parameters; the names were read from an archive that somebody may have made up, so they are quoted.
  const target = client.query(
    copy.from(`COPY ${client.escapeIdentifier(name)} (${nameList(client, columns)}) FROM STDIN`),
  );
  await pipeline(rows, target);
}

function explain(error: unknown): unknown {
  if (!(error instanceof pg.DatabaseError)) return error;
  if (error.code === "2BP01") {
    return new BackupError(
      `Something of your own depends on Tidemark's tables (${error.detail ?? error.message}). Nothing was changed. ` +
        "Drop it, restore, and make it anew.",
      { cause: error },
    );
  }
  if (error.code === "53100") {
    return new BackupError("The database's disk is full. Nothing was changed.", { cause: error });
  }
  return new BackupError(`The backup could not be restored: ${error.message}. Nothing was changed.`, {
    cause: error,
  });
}
