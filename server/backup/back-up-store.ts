import { mkdir, stat } from "node:fs/promises";
import { dirname } from "node:path";
import pg from "pg";
import copy from "pg-copy-streams";
import { readApplied } from "@/server/migrations/migration-table";
import { readMigrations } from "@/server/migrations/read-migrations";
import { VERSION } from "@/server/version";
import { type ArchivedTable, type ArchiveHeader, FORMAT, FORMAT_VERSION } from "./archive-format";
import { BackupError } from "./backup-error";
import { listOwnedObjects } from "./owned-objects";
import { beginsLikeOne } from "./read-archive";
import { fixTextForms, listSequences, listTables, nameList, type StoreTable } from "./store-catalog";
import { writeArchive } from "./write-archive";

/** A restore or a migration holds its locks for longer than this only on a large store. */
const LOCK_TIMEOUT_MS = 30_000;

export type Backup = { file: string; bytes: number; header: ArchiveHeader };

/**
 * Writes everything the store holds into one file, as of one moment, beside a working server: one
 * read-only snapshot, all tables by COPY. Needs the memory of a few chunks, whatever the store's size.
 *
 * The file has no key in it: TIDEMARK_SECRET stays outside, and credentials are sealed under it.
 *
 * @param file replaced only by a whole new one, and only if it was a backup.
 * @param directory of migrations; the project's when absent.
 * @throws BackupError
 */
export async function backUpStore(
  connectionString: string,
  file: string,
  { directory }: { directory?: string } = {},
): Promise<Backup> {
  await refuseStrangersFile(file);
  await mkdir(dirname(file), { recursive: true });
  const client = new pg.Client({ connectionString, application_name: "tidemark-backup" });
  await client.connect();
  try {
    await client.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
    await fixTextForms(client);
    const header = await readHeader(client, directory);
    const bytes = await writeArchive(file, header, (table) => copyRows(client, table)).catch(explainDisk);
    await client.query("COMMIT");
    return { file, bytes, header };
  } finally {
    await client.end();
  }
}

async function readHeader(client: pg.Client, directory: string | undefined): Promise<ArchiveHeader> {
  const owned = listOwnedObjects(await readMigrations(directory));
  // The first statement that reads takes the snapshot. A restore may still replace a table between it and
  // the lock; then the lock is on a table that this snapshot sees empty, and the oid tells.
  const seen = await listTables(client, owned.tables);
  const applied = await readApplied(client);
  if (seen.length === 0 || applied.size === 0) {
    throw new BackupError("There is no Tidemark store in this database, so there is nothing to back up.");
  }
  await lockForReading(client, seen);
  const { rows: about } = await client.query<{ epoch: string; postgres: string }>(
    `SELECT (SELECT epoch FROM instance WHERE id = 1) AS epoch, current_setting('server_version') AS postgres`,
  );
  const tables: ArchivedTable[] = [];
  for (const { name, columns } of seen) {
    const { rows } = await client.query<{ rows: string }>(
      `SELECT count(*)::text AS rows FROM ${client.escapeIdentifier(name)}`,
    );
    tables.push({ name, columns, rows: Number(rows[0]?.rows) });
  }
  return {
    format: FORMAT,
    formatVersion: FORMAT_VERSION,
    appVersion: VERSION,
    createdAt: new Date().toISOString(),
    postgres: about[0]?.postgres ?? "",
    epoch: about[0]?.epoch ?? "",
    migrations: [...applied].map(([name, checksum]) => ({ name, checksum })),
    // Read after the snapshot: at least every number that a row of it has.
    sequences: await listSequences(client, {
      tables: seen.map(({ name }) => name),
      sequences: owned.sequences,
    }),
    tables,
  };
}

async function lockForReading(client: pg.Client, tables: readonly StoreTable[]): Promise<void> {
  const names = tables.map(({ name }) => name);
  try {
    await client.query(`SET LOCAL lock_timeout = ${LOCK_TIMEOUT_MS}`);
    await client.query(`LOCK TABLE ${nameList(client, names)} IN ACCESS SHARE MODE`);
  } catch (error) {
    throw new BackupError("The store is being restored or migrated right now. Try again when that is done.", {
      cause: error,
    });
  }
  const { rows } = await client.query<{ oid: string }>(
    `SELECT to_regclass(quote_ident(name))::oid::text AS oid
       FROM unnest($1::text[]) WITH ORDINALITY AS n(name, place) ORDER BY place`,
    [names],
  );
  if (tables.some(({ oid }, place) => rows[place]?.oid !== oid)) {
    throw new BackupError("The store was restored while the backup began. Try again.");
  }
}

async function* copyRows(client: pg.Client, { name, columns }: ArchivedTable): AsyncGenerator<Buffer> {
  // COPY takes no parameters; the names are the catalog's own.
  const stream = client.query(
    copy.to(`COPY ${client.escapeIdentifier(name)} (${nameList(client, columns)}) TO STDOUT`),
  );
  yield* stream;
}

/** Somebody's holiday pictures must not become a backup. */
async function refuseStrangersFile(file: string): Promise<void> {
  const there = await stat(file).catch(() => null);
  if (!there) return;
  if (!there.isFile())
    throw new BackupError(`${file} is not a file. Name the file that the backup is written to.`);
  if (there.size === 0 || (await beginsLikeOne(file))) return;
  throw new BackupError(`${file} exists and is not a Tidemark backup. Choose another name, or move it away.`);
}

function explainDisk(error: NodeJS.ErrnoException): never {
  if (error.code === "ENOSPC" || error.code === "EDQUOT") {
    throw new BackupError(
      "The disk is full; no backup was written. Free some space or choose another disk.",
      {
        cause: error,
      },
    );
  }
  if (error.code === "EACCES" || error.code === "EPERM" || error.code === "EROFS") {
    throw new BackupError(`The backup cannot be written: ${error.message}.`, { cause: error });
  }
  throw error;
}
