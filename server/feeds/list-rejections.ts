import type { Caller } from "@/server/actor";
import type { Db } from "@/server/db";
import { decodeAfter, limitOf, type Page, type PageInput, toPage } from "@/server/paging";
import { requireFeed } from "./get-feed";

export type ApiRejection = {
  id: string;
  externalId: string | null;
  code: string;
  message: string;
  /** The item as it was sent; long texts cut. */
  payload: unknown;
  runId: string | null;
  /** When it was first refused. */
  at: string;
  /** How often the same item was refused, and when last. */
  occurrences: number;
  lastAt: string;
};

/** Items of a feed that could not be stored, newest first. @throws AppError feed_not_found */
export async function listRejections(
  db: Db,
  caller: Caller,
  input: PageInput & { feedId: string },
): Promise<Page<ApiRejection>> {
  const { workspaceId } = caller;
  const after = decodeAfter("rejections", input.after);
  await requireFeed(db, caller, input.feedId);
  const limit = limitOf(input);
  const rows = await db.rejectedDocument.findMany({
    where: { workspaceId, feedId: input.feedId, ...(after !== null && { id: { lt: after } }) },
    orderBy: { id: "desc" },
    take: limit + 1,
  });
  return toPage(rows, {
    list: "rejections",
    limit,
    positionOf: (row) => row.id,
    map: (row) => ({
      id: row.id,
      externalId: row.externalId,
      code: row.code,
      message: row.message,
      payload: row.payload,
      runId: row.runId,
      at: row.at.toISOString(),
      occurrences: row.occurrences,
      lastAt: row.lastAt.toISOString(),
    }),
  });
}
