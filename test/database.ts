import { randomBytes } from "node:crypto";
import pg from "pg";
import { afterAll, beforeAll, inject } from "vitest";
import { createDb, type Db } from "@/server/db";

/**
 * A database of this test file's own, cloned from the migrated template.
 * Call it at the top of a file; the handle is filled before the first test.
 */
export function useDatabase(): { db: Db; url: string } {
  const handle = {} as { db: Db; url: string };
  const name = `t_${randomBytes(8).toString("hex")}`;

  beforeAll(async () => {
    handle.url = await cloneDatabase(name);
    handle.db = createDb(handle.url, 24);
  });
  afterAll(async () => {
    await handle.db?.$disconnect();
    await admin((client) => client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`));
  });
  return handle;
}

/** @returns the new database's URL. */
export async function cloneDatabase(name: string): Promise<string> {
  await admin((client) => client.query(`CREATE DATABASE ${name} TEMPLATE tidemark_template`));
  const url = new URL(inject("adminUrl"));
  url.pathname = `/${name}`;
  return url.href;
}

async function admin(run: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: inject("adminUrl") });
  await client.connect();
  try {
    // Files clone at the same time; a template may be copied by one session only.
    await client.query("SELECT pg_advisory_lock(1)");
    await run(client);
  } finally {
    await client.end();
  }
}
