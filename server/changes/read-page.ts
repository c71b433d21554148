import type { Db } from "@/server/db";
import { AppError } from "@/server/errors";
import { type ChangeRow, toChangeJson } from "./change-json";
import { readRows } from "./read-rows";
import { type Bound, toBound } from "./safe-point";
import type { ChangeFilter } from "./schema";

/** Of documents' text, titles and metadata in one page; beyond it the page ends early. */
const MAX_PAGE_BYTES = 8 * 1024 * 1024;

const READ_CHANGES = `/* prepared */
  SELECT * FROM read_changes($1::int, $2::bigint, $3::bigint, $4::bigint, $5, $6, $7::int, $8::bigint, $9::boolean)`;

const PULL_CHANGES = `/* prepared */
  SELECT * FROM pull_changes($1::int, $2::bigint, $3::bigint, $4::boolean, $5, $6, $7::int, $8::bigint, $9::boolean)`;

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

/** A change as it is sent, and its place. */
export type ReadChange = { seq: bigint; json: string };

export type RawPage = { head: FeedHead; changes: ReadChange[]; hasMore: boolean };

/**
 * Step 3 of safe-point.ts, on a bound that was read before: epoch, horizon, position and rows, in one
 * statement.
 *
 * @throws AppError not_found when the workspace is gone.
 */
export async function readPage(db: Db, request: PageRequest, { bound }: Bound): Promise<RawPage> {
  const { workspaceId, after, firstBound } = request;
  const rows = await readRows<ChangeRow>(db, READ_CHANGES, [
    workspaceId,
    after ?? bound,
    bound,
    firstBound === "all" ? bound : firstBound,
    ...restOf(request),
  ]);
  return toPage(rows, 0, request);
}

/** All three steps of safe-point.ts, in one exchange with the database, which keeps their order. */
export async function pullPage(db: Db, request: PageRequest): Promise<RawPage & { bound: Bound }> {
  const { workspaceId, after, firstBound } = request;
  const rows = await readRows<ChangeRow>(db, PULL_CHANGES, [
    workspaceId,
    after,
    firstBound === "all" ? null : firstBound,
    firstBound === "all",
    ...restOf(request),
  ]);
  const [, lastValue, bound, systemIdentifier, timeline, inRecovery] = rows[0] as ChangeRow;
  return {
    bound: toBound([lastValue, bound, systemIdentifier, timeline, inRecovery]),
    ...toPage(rows, 1, request),
  };
}

function restOf({ filter, after, limit, text }: PageRequest): unknown[] {
  // The one more says that there is more.
  const rows = after === null ? 0 : limit + 1;
  return [filter.sourceId ?? null, filter.feedId ?? null, rows, MAX_PAGE_BYTES, text];
}

/** @param start where the head is; the changes follow. */
function toPage(rows: ChangeRow[], start: number, { limit, text }: PageRequest): RawPage {
  const head = parseHead(rows[start]?.[0]);
  const changes: ReadChange[] = [];
  for (let index = start + 1; index < rows.length; index += 1) {
    const row = rows[index] as ChangeRow;
    if (row[0] !== null || changes.length === limit) return { head, changes, hasMore: true };
    changes.push({ seq: BigInt(row[1]), json: toChangeJson(row, text) });
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
