import type { Caller } from "@/server/actor";
import type { Db, Prisma } from "@/server/db";
import { requireFeed } from "@/server/feeds/get-feed";
import { firstIdAt } from "@/server/ids";
import { decodeAfter, limitOf, type Page, toPage } from "@/server/paging";
import { requireSource } from "@/server/sources/get-source";
import { readRunNames } from "./read-run-names";
import { type ApiRun, toRun } from "./run-shape";
import type { ListRunsInput } from "./schema";

/** A run may start long after its id was made: it waits in a queue, and clocks disagree. */
const MAX_ID_AGE_MS = 24 * 3600 * 1000;

/**
 * The audit trail, newest first. Runs of deleted feeds stay in it.
 *
 * @throws AppError feed_not_found or not_found when a filter names what this workspace never had.
 */
export async function listRuns(db: Db, caller: Caller, input: ListRunsInput): Promise<Page<ApiRun>> {
  const { workspaceId } = caller;
  const after = decodeAfter("runs", input.after);
  const limit = limitOf(input);
  const rows = await db.syncRun.findMany({
    where: {
      workspaceId,
      feedId: input.feedId,
      sourceId: input.sourceId,
      status: input.status,
      executor: input.executor,
      trigger: input.trigger,
      id: {
        ...(after !== null && { lt: after }),
        // Ends the walk down the index; without it "the last hour" looks at every run there is.
        ...(input.since && { gte: firstIdAt("run", new Date(input.since.getTime() - MAX_ID_AGE_MS)) }),
      },
      AND: [...startedWithin({ gte: input.since }), ...startedWithin({ lt: input.until })],
    },
    orderBy: { id: "desc" },
    take: limit + 1,
  });
  if (rows.length === 0 && after === null) await requireRunFilters(db, caller, input);
  const namesOf = await readRunNames(db, workspaceId, rows);
  return toPage(rows, {
    list: "runs",
    limit,
    positionOf: (row) => row.id,
    map: (row) => toRun(row, namesOf(row)),
  });
}

/** A queued run counts from when it was queued. */
function startedWithin(range: { gte?: Date; lt?: Date }): Prisma.SyncRunWhereInput[] {
  if (range.gte === undefined && range.lt === undefined) return [];
  return [{ OR: [{ startedAt: range }, { startedAt: null, queuedAt: range }] }];
}

/** Nothing found: say so only where there could be something. Costs nothing on a page with rows. */
export async function requireRunFilters(
  db: Db,
  caller: Caller,
  { feedId, sourceId }: Pick<ListRunsInput, "feedId" | "sourceId">,
): Promise<void> {
  const { workspaceId } = caller;
  if (feedId === undefined && sourceId === undefined) return;
  // A deleted feed is known by its runs alone, which other filters may have hidden.
  const known = await db.syncRun.findFirst({
    where: { workspaceId, feedId, sourceId },
    select: { id: true },
  });
  if (known) return;
  if (feedId !== undefined) await requireFeed(db, caller, feedId);
  if (sourceId !== undefined) await requireSource(db, caller, sourceId);
}
