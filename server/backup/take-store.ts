import { setTimeout as delay } from "node:timers/promises";
import type pg from "pg";
import { MIGRATION_LOCK } from "@/server/migrations/migration-table";
import { BackupError } from "./backup-error";
import type { OwnedObjects } from "./owned-objects";
import { listTables, nameList } from "./store-catalog";

/** Longer than a batch or a request takes, shorter than a person's patience; tried so often. */
const LOCK_TIMEOUT_MS = 10_000;
const LOCK_TRIES = 6;

/** Has nobody set up anything here? */
export async function isStoreEmpty(client: pg.Client): Promise<boolean> {
  const { rows: found } = await client.query<{ there: boolean }>(
    "SELECT to_regclass('workspaces') IS NOT NULL AND to_regclass('users') IS NOT NULL AS there",
  );
  if (!found[0]?.there) return true;
  const { rows } = await client.query<{ used: boolean }>(
    "SELECT EXISTS (SELECT 1 FROM workspaces) OR EXISTS (SELECT 1 FROM users) AS used",
  );
  return !rows[0]?.used;
}

/**
 * Keeps every other writer and every migration out until the transaction ends; others may still read.
 *
 * @throws BackupError when something holds a table for too long.
 */
export async function lockOutWriters(client: pg.Client, owned: OwnedObjects): Promise<void> {
  await lockAll(client, owned, async (names) => {
    await client.query("SELECT pg_advisory_xact_lock($1)", [MIGRATION_LOCK]);
    if (names) await client.query(`LOCK TABLE ${names} IN EXCLUSIVE MODE`);
  });
}

/** Keeps readers out too; servers are disconnected, so that none keeps us waiting in mid-transaction. */
export async function lockOutEverybody(client: pg.Client, owned: OwnedObjects): Promise<void> {
  await lockAll(client, owned, async (names) => {
    await disconnectServers(client);
    if (names) await client.query(`LOCK TABLE ${names} IN ACCESS EXCLUSIVE MODE`);
  });
}

/** A deadlock with a transaction that was under way is tried again: nothing of ours is done yet. */
async function lockAll(
  client: pg.Client,
  owned: OwnedObjects,
  lock: (names: string) => Promise<void>,
): Promise<void> {
  await client.query(`SET LOCAL lock_timeout = ${LOCK_TIMEOUT_MS}`);
  for (let attempt = 1; ; attempt += 1) {
    await client.query("SAVEPOINT before_locks");
    try {
      const tables = (await listTables(client, owned.tables)).map(({ name }) => name);
      // Feeds first, as every writer does: whoever waits for us there holds nothing that we want.
      tables.sort((a, b) => Number(b === "feeds") - Number(a === "feeds"));
      await lock(nameList(client, tables));
      await client.query("RELEASE SAVEPOINT before_locks");
      return;
    } catch (error) {
      const code = (error as { code?: string }).code;
      if (code !== "40P01" && code !== "55P03") throw error;
      await client.query("ROLLBACK TO SAVEPOINT before_locks");
      if (attempt < LOCK_TRIES) {
        await delay(Math.random() * 500);
        continue;
      }
      throw new BackupError(
        "The store is in use and does not come to rest, so nothing was changed. Stop the servers that use it and try again.",
        { cause: error },
      );
    }
  }
}

/**
 * Drops what Tidemark's migrations made, and nothing else. Without CASCADE: a view of somebody's own must
 * not vanish without a word.
 */
export async function dropStore(client: pg.Client, owned: OwnedObjects): Promise<void> {
  const tables = (await listTables(client, [...owned.tables, "_prisma_migrations"])).map(({ name }) => name);
  // A function that takes or gives a table's rows stands on the table; a trigger's, the other way round.
  await dropEach(
    client,
    `SELECT 'DROP FUNCTION ' || p.oid::regprocedure AS drop
       FROM pg_proc p
      WHERE p.pronamespace = current_schema()::regnamespace AND p.proname = ANY ($1::text[]) AND p.prokind = 'f'
        AND EXISTS (SELECT FROM pg_type t JOIN pg_class c ON c.oid = t.typrelid
                     WHERE c.relkind = 'r' AND (t.oid = ANY (p.proargtypes) OR t.oid = p.prorettype))`,
    [owned.functions],
  );
  if (tables.length > 0) await client.query(`DROP TABLE ${nameList(client, tables)}`);
  await dropEach(
    client,
    `SELECT 'DROP FUNCTION ' || p.oid::regprocedure AS drop
       FROM pg_proc p
      WHERE p.pronamespace = current_schema()::regnamespace AND p.proname = ANY ($1::text[]) AND p.prokind = 'f'
     UNION ALL
     SELECT 'DROP SEQUENCE ' || c.oid::regclass
       FROM pg_class c
      WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'S' AND c.relname = ANY ($2::text[])
     UNION ALL
     SELECT 'DROP TYPE ' || t.oid::regtype
       FROM pg_type t
      WHERE t.typnamespace = current_schema()::regnamespace AND t.typname = ANY ($3::text[])`,
    [owned.functions, owned.sequences, owned.types],
  );
}

/** @param select a query for the statements, in a column `drop`. */
async function dropEach(client: pg.Client, select: string, values: unknown[]): Promise<void> {
  const { rows } = await client.query<{ drop: string }>(select, values);
  for (const { drop } of rows) await client.query(drop);
}

/**
 * Ends the servers' sessions on this database; they connect again. Their prepared statements stand for
 * tables and types that are gone, and a listener that comes back tells its pages that all may be old.
 */
export async function disconnectServers(client: pg.Client): Promise<void> {
  await client.query(`
    SELECT pg_terminate_backend(pid)
      FROM pg_stat_activity
     WHERE datname = current_database() AND usename = current_user AND pid <> pg_backend_pid()
       AND application_name LIKE 'tidemark%' AND application_name NOT IN ('tidemark-migrate', 'tidemark-restore', 'tidemark-backup')`);
}
