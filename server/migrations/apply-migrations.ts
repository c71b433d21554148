import pg from "pg";
import { createMigrationTable, MIGRATION_LOCK, readApplied, runMigration } from "./migration-table";
import { type Migration, readMigrations } from "./read-migrations";

export type ApplyOptions = {
  /**
   * Called once before the first of the pending migrations, while this process alone may migrate; a
   * failure leaves the database as it is. Not called for a database that has no migration yet.
   */
  beforeApplying?(pending: readonly string[]): Promise<void>;
};

/**
 * Applies the SQL files of `prisma/migrations` that the database does not have yet, each in its own
 * transaction, under a session lock, and keeps Prisma's own `_prisma_migrations` table.
 *
 * @returns Names of the migrations applied now, oldest first.
 * @throws Error when the database has migrations this version does not know (it is newer), or when an
 *   applied file was edited since.
 */
export async function applyMigrations(
  connectionString: string,
  directory?: string,
  { beforeApplying }: ApplyOptions = {},
): Promise<string[]> {
  const client = new pg.Client({ connectionString, application_name: "tidemark-migrate" });
  await client.connect();
  try {
    await client.query("SELECT pg_advisory_lock($1)", [MIGRATION_LOCK]);
    await createMigrationTable(client);
    const applied = await readApplied(client);
    const pending = listPending(applied, await readMigrations(directory));
    if (pending.length > 0 && applied.size > 0) await beforeApplying?.(pending.map(({ name }) => name));
    for (const migration of pending) await apply(client, migration);
    return pending.map(({ name }) => name);
  } finally {
    await client.end();
  }
}

/** @throws Error as applyMigrations does. */
function listPending(applied: ReadonlyMap<string, string>, migrations: readonly Migration[]): Migration[] {
  const known = new Set(migrations.map((migration) => migration.name));
  const unknown = [...applied.keys()].filter((name) => !known.has(name));
  if (unknown.length > 0) {
    throw new Error(
      `This database was migrated by a newer Tidemark (it has ${unknown.join(", ")}). ` +
        "Update Tidemark (git pull && npm run up), or restore a backup made by this version.",
    );
  }
  return migrations.filter(({ name, checksum }) => {
    const before = applied.get(name);
    if (before !== undefined && before !== checksum) {
      throw new Error(`prisma/migrations/${name}/migration.sql was edited after it was applied.`);
    }
    return before === undefined;
  });
}

async function apply(client: pg.Client, migration: Migration): Promise<void> {
  await client.query("BEGIN");
  try {
    await runMigration(client, migration);
    await client.query("COMMIT");
  } catch (error) {
    await client.query("ROLLBACK");
    throw new Error(`Migration ${migration.name} failed and was rolled back: ${(error as Error).message}`, {
      cause: error,
    });
  }
}
