import type { Db } from "@/server/db";
import { AppError } from "@/server/errors";
import { type ChangeRow, toChangeJson } from "./change-json";
import { readRows } from "./read-rows";
import type { ChangeFilter } from "./schema";

/** Of documents' text, titles and metadata in one page; beyond it the page ends early. */
const MAX_PAGE_BYTES = 8 * 1024 * 1024;

const READ_CHANGES = `/* prepared */
  SELECT * FROM read_changes($1::int, $2::bigint, $3::bigint, $4::bigint, $5, $6, $7::int, $8::bigint, $9::boolean)`;

export type PageRequest = {
  workspaceId: number;
  filter: ChangeFilter;
  /** Changes after this seq … */
  after: bigint;
  /** … up to this one: a bound that was read before. */
  bound: bigint;
  /** Leave tombstones up to here out; null once a first walk is over. */
  firstBound: bigint | null;
  /** 0: the head alone. */
  limit: number;
  text: boolean;
};

/** What the statement that read the rows said about the feed as a whole. */
export type FeedHead = {
  epoch: string;
  /** What the cluster was when the epoch began (identity.ts). */
  systemIdentifier: string | null;
  timeline: string | null;
  horizon: bigint;
  /** Highest committed seq of the workspace within the bound, whatever the filter. */
  position: bigint;
  /** Highest committed seq of the workspace. */
  head: bigint;
  /** The filter names a feed or source, or one that was deleted and still has tombstones. */
  isKnown: boolean;
};

/** A change as it is sent, and its place. */
export type ReadChange = { seq: bigint; json: string };

/**
 * Step 3 of safe-point.ts: epoch, horizon, position and rows, in one statement.
 *
 * @throws AppError not_found when the workspace is gone.
 */
export async function readPage(
  db: Db,
  request: PageRequest,
): Promise<{ head: FeedHead; changes: ReadChange[]; hasMore: boolean }> {
  const { workspaceId, filter, after, bound, firstBound, limit, text } = request;
  const rows = await readRows<[string | null, ...ChangeRow]>(db, READ_CHANGES, [
    workspaceId,
    after,
    bound,
    firstBound,
    filter.sourceId ?? null,
    filter.feedId ?? null,
    limit === 0 ? 0 : limit + 1, // the one more says that there is more
    MAX_PAGE_BYTES,
    text,
  ]);
  const head = parseHead(rows[0]?.[0]);
  const changes: ReadChange[] = [];
  for (let index = 1; index < rows.length; index += 1) {
    const [cut, ...row] = rows[index] as [string | null, ...ChangeRow];
    if (cut !== null || changes.length === limit) return { head, changes, hasMore: true };
    changes.push({ seq: BigInt(row[0]), json: toChangeJson(row, text) });
  }
  return { head, changes, hasMore: false };
}

type HeadJson = {
  epoch: string;
  systemIdentifier: string | null;
  timeline: string | null;
  horizon: string;
  position: string;
  head: string;
  isKnown: boolean;
};

export function parseHead(json: string | null | undefined): FeedHead {
  if (!json) throw new AppError("not_found", "This workspace no longer exists.");
  const head = JSON.parse(json) as HeadJson;
  return {
    ...head,
    horizon: BigInt(head.horizon),
    position: BigInt(head.position),
    head: BigInt(head.head),
  };
}
