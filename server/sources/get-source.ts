import type { Caller } from "@/server/actor";
import type { Db, Tx } from "@/server/db";
import { isId } from "@/server/ids";
import { sourceNotFound } from "./lock-source";
import { readSources, withProblems } from "./read-sources";
import type { ApiSource } from "./source-shape";

/** @throws AppError not_found, also for another workspace's source. */
export async function getSource(
  db: Db | Tx,
  { workspaceId }: Caller,
  { sourceId }: { sourceId: string },
): Promise<ApiSource> {
  const rows = isId("src", sourceId) ? await readSources(db, workspaceId, { id: sourceId }, 1) : [];
  const [source] = await withProblems(db, workspaceId, rows);
  if (!source) throw sourceNotFound();
  return source;
}

/** @throws AppError not_found unless the source exists in the caller's workspace. */
export async function requireSource(db: Db | Tx, { workspaceId }: Caller, sourceId: string): Promise<void> {
  const row = isId("src", sourceId)
    ? await db.source.findUnique({
        where: { workspaceId_id: { workspaceId, id: sourceId } },
        select: { id: true },
      })
    : null;
  if (!row) throw sourceNotFound();
}
