import type { Caller } from "@/server/actor";
import { createDb, type Db } from "@/server/db";
import { applyMigrations } from "@/server/migrations/apply-migrations";
import { createSource } from "@/server/sources/create-source";

export type Store = { db: Db; caller: Caller; sourceId: string; feedIds: string[] };

/**
 * A migrated database with one workspace, and in it one source that is pushed to.
 *
 * @param feeds External keys of the source's feeds; `feedIds` has their order.
 */
export async function createStore(databaseUrl: string, poolSize: number, feeds: string[]): Promise<Store> {
  await applyMigrations(databaseUrl);
  const db = createDb(databaseUrl, poolSize);
  const { id: workspaceId } = await db.workspace.create({ data: { name: "Bench" } });
  const caller: Caller = { workspaceId, actor: { type: "cli" } };
  const { source } = await createSource(db, caller, {
    type: "api",
    name: "Bench",
    feeds: feeds.map((externalKey) => ({ externalKey })),
  });
  return { db, caller, sourceId: source.id, feedIds: source.feeds.map((feed) => feed.id) };
}
