import type { Db } from "@/server/db";
import { AppError } from "@/server/errors";
import { readRows } from "./read-rows";
import { type Bound, type BoundRow, toBound } from "./safe-point";
import type { ChangeFilter } from "./schema";

/** Of documents' text, titles and metadata in one page; beyond it the page ends early. */
const MAX_PAGE_BYTES = 8 * 1024 * 1024;

const READ_CHANGES = `/* prepared */
  SELECT head, changes, last, has_more::text FROM read_changes($1::int, $2::bigint, $3::bigint, $4::bigint, $5, $6, $7::int, $8::bigint, $9::boolean)`;

const PULL_CHANGES = `/* prepared */
  SELECT head, changes, last, has_more::text, last_value, bound, system_identifier, timeline, in_recovery
    FROM pull_changes($1::int, $2::bigint, $3::bigint, $4::boolean, $5, $6, $7::int, $8::bigint, $9::boolean)`;

export type PageRequest = {
  workspaceId: number;
  filter: ChangeFilter;
  /** Changes after this seq; null: only where the feed stands. */
  after: bigint | null;
  /** Leave tombstones up to here out: `all` that are there now, or none once a first walk is over. */
  firstBound: bigint | "all" | null;
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

export type RawPage = {
  head: FeedHead;
  /** The changes as they are sent, comma and line feed in between; null when there are none. */
  changes: string | null;
  /** Seq of the last one. */
  last: bigint | null;
  hasMore: boolean;
};

/**
 * Step 3 of safe-point.ts, on a bound that was read before: epoch, horizon, position and rows, in one
 * statement.
 *
 * @throws AppError not_found when the workspace is gone.
 */
export async function readPage(db: Db, request: PageRequest, { bound }: Bound): Promise<RawPage> {
  const { workspaceId, after, firstBound } = request;
  const [row] = await readRows<PageRow>(db, READ_CHANGES, [
    workspaceId,
    after ?? bound,
    bound,
    firstBound === "all" ? bound : firstBound,
    ...restOf(request),
  ]);
  return toPage(row);
}

/** All three steps of safe-point.ts, in one exchange with the database, which keeps their order. */
export async function pullPage(db: Db, request: PageRequest): Promise<RawPage & { bound: Bound }> {
  const { workspaceId, after, firstBound } = request;
  const [row] = await readRows<[...PageRow, ...BoundRow]>(db, PULL_CHANGES, [
    workspaceId,
    after,
    firstBound === "all" ? null : firstBound,
    firstBound === "all",
    ...restOf(request),
  ]);
  if (!row) throw new Error("pull_changes() gave no row");
  const [head, changes, last, hasMore, ...bound] = row;
  return { bound: toBound(bound), ...toPage([head, changes, last, hasMore]) };
}

function restOf({ filter, after, limit, text }: PageRequest): unknown[] {
  return [filter.sourceId ?? null, filter.feedId ?? null, after === null ? 0 : limit, MAX_PAGE_BYTES, text];
}

/** What read_changes() answers. */
type PageRow = [head: string | null, changes: string | null, last: string | null, hasMore: string];

function toPage(row: PageRow | undefined): RawPage {
  const [head, changes = null, last = null, hasMore] = row ?? [];
  return {
    head: parseHead(head),
    changes,
    last: last === null ? null : BigInt(last),
    hasMore: hasMore === "true",
  };
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
