import type { Caller } from "@/server/actor";
import type { Db, Prisma } from "@/server/db";
import { decodeAfter, limitOf, type Page, toPage } from "@/server/paging";
import { requireSource } from "@/server/sources/get-source";
import type { FeedStatus } from "./choices";
import { readFeedFacts } from "./feed-facts";
import { type ApiFeed, feedSelect, toFeed } from "./feed-shape";
import type { ListFeedsInput } from "./schema";

/**
 * Feeds in the order they were added: three queries however many there are.
 *
 * @throws AppError not_found when `sourceId` names no source of the workspace.
 */
export async function listFeeds(db: Db, caller: Caller, input: ListFeedsInput): Promise<Page<ApiFeed>> {
  const { workspaceId } = caller;
  const after = decodeAfter("feeds", input.after);
  if (input.sourceId !== undefined) await requireSource(db, caller, input.sourceId);
  const limit = limitOf(input);
  const now = new Date();
  const rows = await db.feed.findMany({
    where: {
      workspaceId,
      ...(input.sourceId !== undefined && { sourceId: input.sourceId }),
      ...(after !== null && { id: { gt: after } }),
      ...(input.status && statusFilter(input.status, now)),
    },
    select: feedSelect,
    orderBy: { id: "asc" },
    take: limit + 1,
  });
  const factsOf = await readFeedFacts(
    db,
    workspaceId,
    rows.map((row) => row.id),
  );
  return toPage(rows, {
    list: "feeds",
    limit,
    positionOf: (row) => row.id,
    map: (row) => toFeed(row, factsOf(row.id), now),
  });
}

/** `feedStatus` of feed-shape.ts, as a filter. */
function statusFilter(status: FeedStatus, now: Date): Prisma.FeedWhereInput {
  const stands: Prisma.FeedWhereInput = { source: { state: { not: "deleting" } } };
  const runs: Prisma.FeedWhereInput = { state: "active", source: { state: "active" } };
  const notLimited: Prisma.FeedWhereInput = {
    OR: [{ rateLimitedUntil: null }, { rateLimitedUntil: { lte: now } }],
  };
  switch (status) {
    case "deleting":
      return { OR: [{ state: "deleting" }, { source: { state: "deleting" } }] };
    case "disabled":
    case "needs_reconnect":
      return { ...stands, state: status };
    case "paused":
      return { ...stands, OR: [{ state: "paused" }, { state: "active", source: { state: "paused" } }] };
    case "rate_limited":
      return { ...runs, rateLimitedUntil: { gt: now } };
    case "failing":
      return { ...runs, ...notLimited, failingSince: { not: null } };
    case "active":
      return { ...runs, ...notLimited, failingSince: null };
  }
}
