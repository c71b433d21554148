import type { Db } from "@/server/db";
import { AppError } from "@/server/errors";
import type { ChangeRow } from "./change-json";
import { readRows } from "./read-rows";
import { type Bound, toBound } from "./safe-point";
import type { ChangeFilter } from "./schema";

/** Of documents' text, titles and metadata in one page; beyond it the page ends early. */
const MAX_PAGE_BYTES = 8 * 1024 * 1024;

const READ_CHANGES = `/* prepared */
  SELECT * FROM read_changes($1::bigint, $2::int, $3::bigint, $4::bigint, $5::boolean, $6, $7, $8::int, $9::bigint, $10::boolean)`;

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
  /** The changes, in the order of seq. */
  rows: readonly ChangeRow[];
  hasMore: boolean;
};

/** A page with the bound that was read for it. */
export type PulledPage = RawPage & { bound: Bound };

/**
 * Step 3 of safe-point.ts, on a bound that was read before: epoch, horizon, position and rows.
 *
 * @throws AppError not_found when the workspace is gone.
 */
export async function readPage(db: Db, request: PageRequest, { bound }: Bound): Promise<RawPage> {
  return toPage(await askForPage(db, request, bound, MAX_PAGE_BYTES));
}

/**
 * All three steps of safe-point.ts, in one exchange with the database, which keeps their order.
 *
 * @param maxBytes beyond it the page ends early.
 */
export async function pullPage(db: Db, request: PageRequest, maxBytes = MAX_PAGE_BYTES): Promise<PulledPage> {
  const answer = await askForPage(db, request, null, maxBytes);
  const [, , , lastValue, bound, systemIdentifier, timeline, inRecovery] = answer.first;
  if (lastValue === null || bound === null || inRecovery === null) {
    throw new Error("read_changes() gave no bound");
  }
  return {
    bound: toBound([lastValue, bound, systemIdentifier, timeline, inRecovery]),
    ...toPage(answer),
  };
}

/** What read_changes() answers first, in the columns that a change has too. */
type FirstRow = [
  head: string | null,
  nothing: null,
  hasMore: string,
  lastValue: string | null,
  bound: string | null,
  systemIdentifier: string | null,
  timeline: string | null,
  inRecovery: string | null,
];

type Answer = { first: FirstRow; rows: ChangeRow[] };

async function askForPage(
  db: Db,
  request: PageRequest,
  bound: bigint | null,
  maxBytes: number,
): Promise<Answer> {
  const { workspaceId, filter, after, firstBound, limit, text } = request;
  const isAll = firstBound === "all";
  const [first, ...rows] = await readRows<(string | null)[]>(db, READ_CHANGES, [
    bound,
    workspaceId,
    after,
    isAll ? null : firstBound,
    isAll,
    filter.sourceId ?? null,
    filter.feedId ?? null,
    after === null ? 0 : limit,
    maxBytes,
    text,
  ]);
  if (!first) throw new Error("read_changes() gave no row");
  return { first: first as FirstRow, rows: rows as ChangeRow[] };
}

function toPage({ first: [head, , hasMore], rows }: Answer): RawPage {
  return { head: parseHead(head), rows, hasMore: hasMore === "true" };
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
