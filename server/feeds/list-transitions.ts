import type { Actor, Caller } from "@/server/actor";
import type { CursorOutcome, Db } from "@/server/db";
import { decodeAfter, limitOf, type Page, type PageInput, toPage } from "@/server/paging";
import { requireFeed } from "./get-feed";

export type ApiTransition = {
  id: string;
  from: string | null;
  to: string | null;
  outcome: CursorOutcome;
  conflict: boolean;
  runId: string | null;
  actor: Actor;
  reason: string | null;
  at: string;
};

/** Every move of a feed's cursor and every conflict, newest first. @throws AppError feed_not_found */
export async function listTransitions(
  db: Db,
  caller: Caller,
  input: PageInput & { feedId: string },
): Promise<Page<ApiTransition>> {
  const { workspaceId } = caller;
  const after = decodeAfter("transitions", input.after);
  await requireFeed(db, caller, input.feedId);
  const limit = limitOf(input);
  const rows = await db.cursorTransition.findMany({
    where: { workspaceId, feedId: input.feedId, ...(after !== null && { id: { lt: after } }) },
    orderBy: { id: "desc" },
    take: limit + 1,
  });
  return toPage(rows, {
    list: "transitions",
    limit,
    positionOf: (row) => row.id,
    map: ({ id, from, to, outcome, conflict, runId, actor, reason, at }) => ({
      id,
      from,
      to,
      outcome,
      conflict,
      runId,
      actor: actor as Actor,
      reason,
      at: at.toISOString(),
    }),
  });
}
