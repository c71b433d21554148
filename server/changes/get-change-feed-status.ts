import type { Caller } from "@/server/actor";
import type { Db } from "@/server/db";
import { env } from "@/server/env";
import { getChangeHead } from "./get-change-head";
import type { ChangeFeedStatus } from "./schema";
import { waitersFor } from "./waiters";

/** What the page "Change feed" shows at its head. */
export async function getChangeFeedStatus(
  db: Db,
  caller: Pick<Caller, "workspaceId">,
): Promise<ChangeFeedStatus> {
  const [{ cursor: _, ...head }, workspace] = await Promise.all([
    getChangeHead(db, caller),
    db.workspace.findUniqueOrThrow({ where: { id: caller.workspaceId }, select: { retentionDays: true } }),
  ]);
  return {
    ...head,
    waiters: waitersFor(db).count(caller.workspaceId),
    maxWaiters: env().TIDEMARK_MAX_WAITERS,
    retentionDays: workspace.retentionDays,
  };
}
