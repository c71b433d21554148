import type { Migration } from "@/server/migrations/read-migrations";

/** What Tidemark's migrations make, by name. Whatever else lives in the schema is somebody else's. */
export type OwnedObjects = { tables: string[]; functions: string[]; types: string[]; sequences: string[] };

/**
 * Read off the migrations' own text, which says it for every version there was: a restore must remove
 * what an older or newer one of them left, and must not touch a stranger's table.
 */
export function listOwnedObjects(migrations: readonly Migration[]): OwnedObjects {
  const sql = migrations.map((migration) => migration.sql.replace(/--.*$/gm, "")).join("\n");
  const created = (kind: string) => {
    const pattern = new RegExp(`\\bCREATE ${kind} (?:IF NOT EXISTS )?"?(\\w+)"?`, "gi");
    return [...new Set([...sql.matchAll(pattern)].map((match) => match[1] ?? ""))].sort();
  };
  return {
    tables: created("(?:UNLOGGED )?TABLE"),
    functions: created("(?:OR REPLACE )?FUNCTION"),
    types: created("(?:TYPE|DOMAIN)"),
    sequences: created("SEQUENCE"),
  };
}
