import { createHash, randomUUID } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";

/** Serialises migrating processes; any constant works as long as nobody else uses it. */
const MIGRATION_LOCK = 7_231_964_001;

/**
 * Applies the SQL files of `prisma/migrations` that the database does not have yet, each in its own
 * transaction, under a session lock, and keeps Prisma's own `_prisma_migrations` table, so that
 * `prisma migrate deploy` agrees with what was done here.
 *
 * @returns Names of the migrations applied now, oldest first.
 * @throws Error when the database has migrations this version does not know (it is newer), or when an
 *   applied file was edited since.
 */
export async function applyMigrations(
  connectionString: string,
  directory = join(process.cwd(), "prisma/migrations"),
): Promise<string[]> {
  const client = new pg.Client({ connectionString, application_name: "tidemark-migrate" });
  await client.connect();
  try {
    await client.query("SELECT pg_advisory_lock($1)", [MIGRATION_LOCK]);
    await client.query(`
      CREATE TABLE IF NOT EXISTS "_prisma_migrations" (
        "id" VARCHAR(36) PRIMARY KEY, "checksum" VARCHAR(64) NOT NULL, "finished_at" TIMESTAMPTZ,
        "migration_name" VARCHAR(255) NOT NULL, "logs" TEXT, "rolled_back_at" TIMESTAMPTZ,
        "started_at" TIMESTAMPTZ NOT NULL DEFAULT now(), "applied_steps_count" INTEGER NOT NULL DEFAULT 0)`);
    const { rows } = await client.query<{ migration_name: string; checksum: string }>(
      `SELECT migration_name, checksum FROM "_prisma_migrations" WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL`,
    );
    const applied = new Map(rows.map((row) => [row.migration_name, row.checksum]));
    const migrations = await readMigrations(directory);

    const known = new Set(migrations.map((migration) => migration.name));
    const unknown = [...applied.keys()].filter((name) => !known.has(name));
    if (unknown.length > 0) {
      throw new Error(
        `This database was migrated by a newer Tidemark (it has ${unknown.join(", ")}). ` +
          "Update Tidemark (git pull && npm run up), or restore a backup made by this version.",
      );
    }

    const done: string[] = [];
    for (const { name, sql, checksum } of migrations) {
      const before = applied.get(name);
      if (before === checksum) continue;
      if (before) throw new Error(`prisma/migrations/${name}/migration.sql was edited after it was applied.`);
      await client.query("BEGIN");
      try {
        await client.query(sql);
        await client.query(
          `INSERT INTO "_prisma_migrations" (id, checksum, finished_at, migration_name, applied_steps_count) VALUES ($1, $2, now(), $3, 1)`,
          [randomUUID(), checksum, name],
        );
        await client.query("COMMIT");
      } catch (error) {
        await client.query("ROLLBACK");
        throw new Error(`Migration ${name} failed and was rolled back: ${(error as Error).message}`, {
          cause: error,
        });
      }
      done.push(name);
    }
    return done;
  } finally {
    await client.end();
  }
}

async function readMigrations(directory: string) {
  const names = (await readdir(directory, { withFileTypes: true }))
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort();
  return Promise.all(
    names.map(async (name) => {
      const sql = await readFile(join(directory, name, "migration.sql"), "utf8");
      return { name, sql, checksum: createHash("sha256").update(sql).digest("hex") };
    }),
  );
}
