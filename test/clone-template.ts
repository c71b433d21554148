import pg from "pg";

/** The migrated database that every test file's own is a copy of. */
export const TEMPLATE = "tidemark_template";

/**
 * A new database that begins as the template is.
 *
 * @param adminUrl Any other database of the same cluster.
 * @returns the new database's URL.
 */
export async function cloneTemplate(adminUrl: string, name: string): Promise<string> {
  await asAdmin(adminUrl, (client) => client.query(`CREATE DATABASE ${name} TEMPLATE ${TEMPLATE}`));
  const url = new URL(adminUrl);
  url.pathname = `/${name}`;
  return url.href;
}

/** Makes and drops databases, on a connection of its own that is gone afterwards; one caller at a time. */
export async function asAdmin(adminUrl: string, run: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  try {
    // Files do so at the same time; a template may be copied by one session only.
    await client.query("SELECT pg_advisory_lock(1)");
    await run(client);
  } finally {
    await client.end();
  }
}
