import type { Caller } from "@/server/actor";
import type { Db } from "@/server/db";
import { decodeAfter, limitOf, type Page, type PageInput, toPage } from "@/server/paging";
import { requireFeed } from "./get-feed";

export type ApiHeldDelete = {
  id: string;
  runId: string;
  count: number;
  /** Up to 20 external ids. */
  sample: string[];
  reason: string;
  at: string;
};

/** Sweeps of a feed that wait for a person's decision, newest first. @throws AppError feed_not_found */
export async function listHeldDeletes(
  db: Db,
  caller: Caller,
  input: PageInput & { feedId: string },
): Promise<Page<ApiHeldDelete>> {
  const { workspaceId } = caller;
  const after = decodeAfter("held_deletes", input.after);
  await requireFeed(db, caller, input.feedId);
  const limit = limitOf(input);
  const rows = await db.heldDelete.findMany({
    where: {
      workspaceId,
      feedId: input.feedId,
      status: "held",
      ...(after !== null && { id: { lt: after } }),
    },
    orderBy: { id: "desc" },
    take: limit + 1,
  });
  return toPage(rows, {
    list: "held_deletes",
    limit,
    positionOf: (row) => row.id,
    map: (row) => ({
      id: row.id,
      runId: row.runId,
      count: row.count,
      sample: row.sample as string[],
      reason: row.reason,
      at: row.at.toISOString(),
    }),
  });
}
