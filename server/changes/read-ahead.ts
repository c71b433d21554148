import { type Db, poolOf } from "@/server/db";
import { ShortMemory } from "@/server/short-memory";
import { seqOf } from "./change-json";
import { type PageRequest, type PulledPage, pullPage } from "./read-page";
import { readStanding, type Standing } from "./standing";

/**
 * What a walk will ask for next, read while its client is still busy with what it got: on a first sync the
 * database's time is then no part of every exchange, and several pages share one reading (bench/changes.ts).
 *
 * Rows that were read ahead are given out only as the page that a reading now would bring. When they were read, the
 * workspace's head was not above the bound, so writers that were still open had numbers above it (safe-point.ts); later
 * ones get numbers above every committed one, after a crash too. Whatever is committed makes another head, and while it
 * is the same, no document has changed. Nothing was purged either while the horizon is the same, and the log was not
 * put back while epoch and cluster are. Otherwise the rows are thrown away, and the page is read as ever.
 *
 * Each comparison in isStillSo() was left out once, and read-ahead.test.ts failed; that of the cluster excepted, which
 * would need two.
 */

/** Rows that nobody asks for in this time are dropped; a walk that takes longer between two pages is not read ahead of. */
const KEPT_MS = 1_000;
/** Blocks held or on their way in one process, of all walks. */
const MAX_BLOCKS = 8;
/** Rows read at once, unless a page has more. A walk's first block has two pages, each further one twice as many. */
const MAX_ROWS = 1_000;
/** Of text, titles and metadata in one block. */
const MAX_BYTES = 4 * 1024 * 1024;
/** After a workspace's rows were read in vain: while somebody writes, the next ones would be too. */
const PAUSE_MS = 1_000;
/** Walks whose next step is remembered, to know who comes back at once; and workspaces that pause. */
const REMEMBERED = 1_000;

type Block = {
  /** What was read: its `limit` is the block's, not the page's. */
  request: PageRequest;
  page: Promise<PulledPage | null>;
  /** Where the next page begins, as a seq. */
  at: bigint;
  /** How many rows were given out. */
  given: number;
  timer: NodeJS.Timeout;
};

class BlocksAhead {
  readonly blocks = new Set<Block>();
  readonly expected = new ShortMemory<true>({ ms: KEPT_MS, entries: REMEMBERED });
  readonly paused = new ShortMemory<true>({ ms: PAUSE_MS, entries: REMEMBERED });
}

// On globalThis because Next bundles REST, GraphQL and tRPC apart; by database because tests use several.
const shared = globalThis as typeof globalThis & { __tidemarkBlocksAhead?: WeakMap<Db, BlocksAhead> };

function blocksOf(db: Db): BlocksAhead {
  shared.__tidemarkBlocksAhead ??= new WeakMap();
  let ahead = shared.__tidemarkBlocksAhead.get(db);
  if (!ahead) {
    ahead = new BlocksAhead();
    shared.__tidemarkBlocksAhead.set(db, ahead);
  }
  return ahead;
}

/** Drops all that was read ahead; for tests, which would leave each other no room. */
export function dropAhead(db: Db): void {
  const { blocks } = blocksOf(db);
  for (const { timer } of blocks) clearTimeout(timer);
  blocks.clear();
}

/** Reads ahead of every workspace again, whatever was in vain; for tests. */
export function endPauses(db: Db): void {
  blocksOf(db).paused.clear();
}

/**
 * The page for this request out of what was read ahead, when it is what a reading now would bring.
 *
 * @returns null when there is none: read it.
 */
export async function takeAhead(db: Db, request: PageRequest): Promise<PulledPage | null> {
  const ahead = blocksOf(db);
  const block = findBlock(ahead, request);
  if (!block) return null;
  const { given } = block;
  // Taken before anything is waited for: no two requests get the same rows.
  ahead.blocks.delete(block);
  // Asked for after the request came in. Whichever of the two is answered first: when they agree, nothing
  // happened in between.
  const [page, now] = await Promise.all([block.page, readStanding(db, request.workspaceId)]);
  const isCurrent = page !== null && now !== null && isStillSo(page, now);
  const end = given + request.limit;
  // A block that ends within the page, with more to come, does not say what is behind it.
  const isWhole = isCurrent && (end <= page.rows.length || !page.hasMore);
  if (!isWhole) {
    clearTimeout(block.timer);
    if (page) ahead.paused.remember(String(request.workspaceId), true, performance.now());
    return null;
  }
  const rows = page.rows.slice(given, end);
  const last = rows.at(-1);
  const left = page.rows.length - end;
  if (last && left > 0 && (left >= request.limit || !page.hasMore)) {
    block.at = seqOf(last);
    block.given = end;
    block.timer.refresh(); // which a timer that was cleared would not do
    ahead.blocks.add(block);
  } else clearTimeout(block.timer);
  return { ...page, rows, hasMore: end < page.rows.length || page.hasMore };
}

function isStillSo({ head, bound }: PulledPage, now: Standing): boolean {
  return (
    head.head <= bound.bound &&
    head.head === now.head &&
    head.horizon === now.horizon &&
    head.epoch === now.epoch &&
    bound.identity.systemIdentifier === now.identity.systemIdentifier &&
    bound.identity.timeline === now.identity.timeline
  );
}

/**
 * Begins to read what a walk will ask for, if it is one that comes back at once and the database has
 * connections to spare.
 *
 * @param from what has just been answered.
 */
export function readAhead(db: Db, from: PageRequest, next: PageRequest): void {
  const ahead = blocksOf(db);
  const isBrisk = ahead.expected.recall(keyOf(from)) !== undefined;
  ahead.expected.remember(keyOf(next), true, performance.now());
  if (!isBrisk || ahead.paused.recall(String(next.workspaceId))) return;
  const block = findBlock(ahead, next);
  if (!block) begin(db, ahead, { ...next, limit: blockSize(next.limit, next.limit * 2) });
  else if (block.given * 2 >= block.request.limit) void beginAfter(db, ahead, block, next.limit);
}

/** The block behind a block that is half given out. */
async function beginAfter(db: Db, ahead: BlocksAhead, block: Block, limit: number): Promise<void> {
  const page = await block.page;
  if (!page?.hasMore) return;
  // Where the client will arrive: a block that was cut for its size ends within a page.
  const beyond = (page.rows.length - block.given) % limit;
  const last = page.rows.at(-1 - beyond);
  if (!last) return;
  const after = seqOf(last);
  const next = { ...block.request, after, firstBound: boundAt(block.request, after) };
  if (!findBlock(ahead, next))
    begin(db, ahead, { ...next, limit: blockSize(limit, block.request.limit * 2) });
}

function begin(db: Db, ahead: BlocksAhead, request: PageRequest): void {
  if (ahead.blocks.size >= MAX_BLOCKS || !hasIdleConnections(db)) return;
  const page = pullPage(db, request, MAX_BYTES).catch(() => null); // who asks for it reads it again, and hears why
  const timer = setTimeout(() => ahead.blocks.delete(block), KEPT_MS).unref();
  const block: Block = { request, page, at: request.after ?? 0n, given: 0, timer };
  ahead.blocks.add(block);
}

/** A whole number of pages. */
function blockSize(limit: number, wanted: number): number {
  return Math.max(1, Math.floor(Math.min(wanted, MAX_ROWS) / limit)) * limit;
}

/** Half of the pool stays with those who ask. */
function hasIdleConnections(db: Db): boolean {
  const pool = poolOf(db);
  if (!pool || pool.waitingCount > 0) return false;
  return pool.totalCount - pool.idleCount < pool.options.max / 2;
}

function findBlock({ blocks }: BlocksAhead, { after, firstBound, ...asked }: PageRequest): Block | undefined {
  for (const block of blocks) {
    const { request, at } = block;
    if (
      at === after &&
      boundAt(request, at) === firstBound &&
      request.workspaceId === asked.workspaceId &&
      request.filter.sourceId === asked.filter.sourceId &&
      request.filter.feedId === asked.filter.feedId &&
      request.text === asked.text
    )
      return block;
  }
}

/** A first walk that has passed where it began leaves nothing out any more, and says so (positionAt). */
function boundAt({ firstBound }: PageRequest, at: bigint): PageRequest["firstBound"] {
  return typeof firstBound === "bigint" && firstBound <= at ? null : firstBound;
}

function keyOf({ workspaceId, filter: { sourceId, feedId }, after, text }: PageRequest): string {
  return JSON.stringify([workspaceId, sourceId, feedId, String(after), text]);
}
