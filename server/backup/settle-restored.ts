import { randomUUID } from "node:crypto";
import type pg from "pg";
import { newId } from "@/server/ids";
import type { ArchiveHeader } from "./archive-format";
import type { OwnedObjects } from "./owned-objects";
import { listSequences, listTables } from "./store-catalog";

/** What must not go back in time although the store does. */
export type Carried = { sequences: { name: string; lastValue: string }[] };

/** People are signed out: which sign-outs came after the backup, nobody can tell from it. */
const SIGNED_OUT = `
  UPDATE users u
     SET session_version = greatest(u.session_version, coalesce(k.session_version, 0),
                                    extract(epoch FROM now())::int / 60) + 1
    FROM users v LEFT JOIN restore_sessions k ON k.id = v.id
   WHERE v.id = u.id`;

/**
 * Reads off the store that is about to be replaced: the numbers it gave out, who signed out, and which
 * tokens were revoked. A revocation is for good, and so is a number of the change feed.
 */
export async function carryOver(client: pg.Client, owned: OwnedObjects): Promise<Carried> {
  await client.query(`
    CREATE TEMP TABLE restore_revoked (token_hash bytea, revoked_at timestamptz) ON COMMIT DROP;
    CREATE TEMP TABLE restore_sessions (id text, session_version int) ON COMMIT DROP`);
  const tables = (await listTables(client, owned.tables)).map(({ name }) => name);
  if (tables.includes("api_tokens") && tables.includes("users")) {
    await client.query(`
      INSERT INTO restore_revoked SELECT token_hash, revoked_at FROM api_tokens WHERE revoked_at IS NOT NULL;
      INSERT INTO restore_sessions SELECT id, session_version FROM users`);
  }
  return { sequences: await listSequences(client, { tables, sequences: owned.sequences }) };
}

/** Makes of a restored store one that can go on: on the schema of this version, before the commit. */
export async function settleRestored(
  client: pg.Client,
  header: ArchiveHeader,
  carried: Carried,
): Promise<{ epoch: string; cancelledRuns: number }> {
  for (const { name, lastValue } of carried.sequences) {
    // Never backwards: a number that was handed out stands for one thing only.
    await client.query(
      `SELECT setval(s.oid::regclass, greatest($2::bigint, coalesce(pg_sequence_last_value(s.oid), 1)))
         FROM pg_class s
        WHERE s.relnamespace = current_schema()::regnamespace AND s.relkind = 'S' AND s.relname = $1 AND $2::bigint > 0`,
      [name, lastValue],
    );
  }
  await client.query(
    "UPDATE api_tokens t SET revoked_at = r.revoked_at FROM restore_revoked r WHERE r.token_hash = t.token_hash AND t.revoked_at IS NULL",
  );
  await client.query(SIGNED_OUT);
  // Which were withdrawn since, nobody can tell from it; asking again is easy.
  await client.query("DELETE FROM invitations");
  // Whoever ran them is not here any more, or is fenced off by this. Their upstreams' slots are free.
  const { rowCount: cancelledRuns } = await client.query(
    `UPDATE sync_runs
        SET status = 'cancelled', finished_at = now(), lease_expires_at = NULL,
            error = jsonb_build_object('origin', 'tidemark', 'code', 'store_restored', 'detail', NULL, 'retryable', true,
              'message', 'The store was restored from a backup that was made during this sync. The next one goes on from the cursor.')
      WHERE status IN ('queued', 'running')`,
  );
  await client.query("DELETE FROM host_slots; DELETE FROM run_keys");
  // History was put back: every cursor of the change feed expires. What this cluster is, the next reader
  // fills in; the set-up code belongs to the epoch.
  const epoch = randomUUID().replaceAll("-", "");
  await client.query(
    "UPDATE instance SET epoch = $1, system_identifier = NULL, timeline = NULL, setup_code_hash = NULL WHERE id = 1",
    [epoch],
  );
  const { rows: workspaces } = await client.query<{ id: number }>("SELECT id FROM workspaces");
  for (const { id } of workspaces) {
    await client.query(
      `INSERT INTO audit_entries (workspace_id, id, actor, action, target_id, detail)
       VALUES ($1, $2, '{"type":"cli"}', 'store.restore', NULL, $3)`,
      [id, newId("aud"), JSON.stringify({ madeAt: header.createdAt, appVersion: header.appVersion })],
    );
  }
  return { epoch, cancelledRuns: cancelledRuns ?? 0 };
}
