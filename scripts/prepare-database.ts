import pg from "pg";
import { ensureSetupCode } from "@/server/access/setup";
import { backUpBeforeMigrating } from "@/server/backup/backup-before-migrating";
import { createDb } from "@/server/db";
import { env } from "@/server/env";
import { applyMigrations } from "@/server/migrations/apply-migrations";

/**
 * Run by `npm run up` before the server. Prints one JSON line: what was applied, the backup that was made
 * before (null: none was needed), and the set-up code.
 */
const OLDEST_MAJOR = 15;

try {
  await prepare(env().DATABASE_DIRECT_URL ?? env().DATABASE_URL);
} catch (error) {
  process.stderr.write(`${explain(error)}\n`);
  process.exitCode = 1;
}

async function prepare(url: string): Promise<void> {
  await requireVersion(url);
  let backup: string | null = null;
  const applied = await applyMigrations(url, undefined, {
    async beforeApplying() {
      backup = (await backUpBeforeMigrating(url))?.file ?? null;
    },
  });
  const db = createDb(url, 2);
  try {
    const setupCode = await ensureSetupCode(db);
    process.stdout.write(`${JSON.stringify({ applied, backup, setupCode })}\n`);
  } finally {
    await db.$disconnect();
  }
}

/** Without a stack where the message says it all: no server, no such database, wrong password, migrations. */
function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = "code" in error ? String(error.code) : "";
  if (/^(ECONN|ENOTFOUND|EAI_|ETIMEDOUT)/.test(code)) {
    return `The PostgreSQL server that DATABASE_URL names cannot be reached (${code}).`;
  }
  // SQLSTATE classes of a refused connection: wrong password, no such database.
  return /^(28|3D)/.test(code) ? `PostgreSQL refused the connection: ${error.message}` : error.message;
}

async function requireVersion(connectionString: string): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    const { rows } = await client.query<{ server_version: string }>("SHOW server_version");
    const version = rows[0]?.server_version ?? "";
    if (Number.parseInt(version, 10) < OLDEST_MAJOR) {
      throw new Error(
        `DATABASE_URL leads to PostgreSQL ${version}; Tidemark needs ${OLDEST_MAJOR} or later.`,
      );
    }
  } finally {
    await client.end();
  }
}
