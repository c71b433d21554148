import pg from "pg";
import { ensureSetupCode } from "@/server/access/setup";
import { createDb } from "@/server/db";
import { env } from "@/server/env";
import { applyMigrations } from "@/server/migrations/apply-migrations";

/** Run by `npm run up` before the server. Prints one JSON line: what was applied, and the set-up code. */
const OLDEST_MAJOR = 15;

const url = env().DATABASE_DIRECT_URL ?? env().DATABASE_URL;
await requireVersion(url);
const applied = await applyMigrations(url);
const db = createDb(url, 2);
try {
  const setupCode = await ensureSetupCode(db);
  process.stdout.write(`${JSON.stringify({ applied, setupCode })}\n`);
} finally {
  await db.$disconnect();
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
