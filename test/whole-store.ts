import pg from "pg";
import { createUser } from "@/server/access/create-user";
import { createToken } from "@/server/access/tokens";
import type { Caller } from "@/server/actor";
import { listOwnedObjects } from "@/server/backup/owned-objects";
import type { Db } from "@/server/db";
import { ingestDocuments } from "@/server/ingest/ingest-documents";
import { readMigrations } from "@/server/migrations/read-migrations";
import { saveCredential } from "@/server/vault/credentials";
import { createFeed } from "./factories";

/** What the vault of a filled store holds; must be in no backup. */
export const UPSTREAM_SECRET = "upstream-token-in-the-clear";

/** Rows over a connection of their own, as this computer's clock never sees them. */
export async function queryAt<Row = Record<string, unknown>>(url: string, sql: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url, options: "-c timezone=UTC" });
  await client.connect();
  try {
    return (await client.query(sql)).rows as Row[];
  } finally {
    await client.end();
  }
}

/** Puts something of everything into a store that is hard to carry. */
export async function fillStore(db: Db): Promise<{ caller: Caller; feedId: string }> {
  const { workspaceId, userId } = await createUser(
    db,
    { type: "cli" },
    { email: "mira@example.org", password: "ebb and flow", name: "Mira", role: "owner" },
  );
  const caller: Caller = { workspaceId, actor: { type: "user", id: userId, name: "Mira" } };
  const feed = await createFeed(db, caller);
  await saveCredential(db, workspaceId, { type: "bearer", token: UPSTREAM_SECRET });
  await createToken(db, caller, { name: "laptop", scopes: ["admin"] });
  await ingestDocuments(db, caller, {
    feedId: feed.id,
    cursor: "2026-06-14T09:00:00.123456Z",
    documents: [
      {
        id: "quoted\\.\t\n\r\"'",
        version: "12345678901234567890123456789012345678",
        title: "\\.",
        text: "\\.\n\\N\n",
      },
      {
        id: "日本 🌊",
        version: "2",
        title: "Ebb",
        metadata: { deep: { list: [1, "\\", null] }, big: 1e300 },
      },
      { id: "gone", version: "3", deleted: true },
      { id: "dated", version: "4", date: "1969-07-20T20:17:40.5Z", text: "x".repeat(200_000) },
    ] as never,
  });
  return { caller, feedId: feed.id };
}

/** Every row of every table, as text, without what a restore changes on purpose. */
export async function contentOf(url: string): Promise<Record<string, string[]>> {
  const { tables } = listOwnedObjects(await readMigrations());
  const content: Record<string, string[]> = {};
  for (const table of tables) {
    const leftOut =
      {
        users: "- 'session_version'",
        instance: "- 'epoch' - 'system_identifier' - 'timeline' - 'setup_code_hash'",
      }[table] ?? "";
    const rows = await queryAt<{ row: string }>(
      url,
      `SELECT (to_jsonb(t) ${leftOut})::text AS row FROM "${table}" t
        ${table === "audit_entries" ? "WHERE action <> 'store.restore'" : ""}
        ORDER BY convert_to((to_jsonb(t) ${leftOut})::text, 'UTF8')`,
    );
    content[table] = rows.map(({ row }) => row);
  }
  return content;
}
