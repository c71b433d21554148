import type { Caller } from "@/server/actor";
import type { Db } from "@/server/db";
import { AppError } from "@/server/errors";
import { changeJson, seqOf } from "./change-json";
import { type CursorScope, encodeCursor, expired, openCursor, type Position } from "./cursor";
import { encodePieces } from "./encode-pieces";
import { changeEpoch, changeEpochIfMoved } from "./identity";
import { readAhead, takeAhead } from "./read-ahead";
import { type FeedHead, type PageRequest, pullPage, type RawPage, readPage } from "./read-page";
import type { Bound } from "./safe-point";
import type { ChangeFilter } from "./schema";

/** The most a purge or a new epoch can get in between before something else is wrong. */
const MAX_TRIES = 5;

/** Where a walk stands; where it begins when there is no cursor yet. */
export type Place =
  | { at: "beginning" }
  | { at: "now" }
  | ({ at: "cursor"; isOfEpoch(epoch: string): boolean } & Position);

export type Walk = {
  workspaceId: number;
  place: Place;
  filter: ChangeFilter;
  /** Changes per page. */
  limit: number;
  text: boolean;
};

export type ReadPage = RawPage & {
  /** Where the walk stands after this page. */
  position: Position;
  bound: bigint;
};

/** What a caller asked for, with its cursor opened. */
export function beginWalk(
  { workspaceId }: Pick<Caller, "workspaceId">,
  input: ChangeFilter & { cursor?: string; limit: number; text?: boolean },
): Walk {
  const { sourceId, feedId, cursor, limit, text = false } = input;
  const filter = { sourceId, feedId };
  return { workspaceId, place: toPlace(cursor, workspaceId, filter), filter, limit, text };
}

function toPlace(cursor: string | undefined, workspaceId: number, filter: ChangeFilter): Place {
  if (cursor === undefined) return { at: "beginning" };
  if (cursor === "now") return { at: "now" };
  return { at: "cursor", ...openCursor(cursor, workspaceId, filter) };
}

/**
 * One page: the changes after the walk's place that may be served, and where it stands then.
 *
 * A first walk pages through what is live; tombstones at or below the safe point it began from are left
 * out, for it never brought what they delete. It does not expire by a purge meanwhile.
 *
 * @param known a bound read after this reader registered or was woken; read now when absent.
 * @throws AppError cursor_expired: the place is of another epoch, below the horizon or ahead of the log.
 * @throws AppError feed_not_found, not_found for a filter that names nothing, tombstones included.
 */
export async function readChanges(db: Db, walk: Walk, known?: Bound): Promise<ReadPage> {
  const request = toRequest(walk);
  let given = known;
  for (let attempt = 1; ; attempt += 1) {
    const page = given
      ? { bound: given, ...(await readPage(db, request, given)) }
      : (attempt === 1 && (await takeAhead(db, request))) || (await pullPage(db, request));
    const { head, bound } = page;
    // A purge since the bound was read would make this page end above rows it could not show yet.
    const isBehind = head.horizon > bound.bound;
    if ((await changeEpochIfMoved(db, head, bound.identity)) || isBehind) {
      if (attempt === MAX_TRIES) throw new AppError("unavailable", "The change feed is being moved.");
      given = undefined;
      continue;
    }
    await refuseExpired(db, walk.place, head, bound);
    if (!head.isKnown) throw unknownFilter(walk.filter);
    return { ...page, position: positionAfter(walk.place, page), bound: bound.bound };
  }
}

function toRequest({ workspaceId, place, filter, limit, text }: Walk): PageRequest {
  const common = { workspaceId, filter, limit, text };
  // Of what the statement sees, the bound and the safe point leave the same tombstones out.
  if (place.at === "beginning") return { ...common, after: 0n, firstBound: "all" };
  if (place.at === "now") return { ...common, after: null, firstBound: null };
  return { ...common, after: place.seq, firstBound: place.snapshotBound };
}

async function refuseExpired(db: Db, place: Place, head: FeedHead, { lastValue }: Bound): Promise<void> {
  if (place.at !== "cursor") return;
  if (!place.isOfEpoch(head.epoch)) throw expired("epoch");
  const furthest = maxOf(place.seq, place.snapshotBound ?? 0n);
  // We signed it, and the sequence was read after it came in: the log must have been put back.
  if (furthest > lastValue) {
    await changeEpoch(db, { from: head.epoch, why: "a cursor is ahead of the log" });
    throw expired("ahead");
  }
  if (furthest < head.horizon) throw expired("horizon");
}

/**
 * With more to come, the last change. Otherwise the greatest of the old place, the horizon and the highest
 * *committed* seq within the bound, whatever the filter, so that a quiet filter does not fall behind the
 * horizon. Never the bound: it may not be durable (safe-point.ts).
 */
function positionAfter(place: Place, { rows, hasMore, head }: RawPage): Position {
  const before = place.at === "cursor" ? place.seq : 0n;
  if (!hasMore) return { seq: maxOf(before, maxOf(head.horizon, head.position)), snapshotBound: null };
  const last = rows.at(-1);
  return positionAt(place, head, last ? seqOf(last) : before);
}

/** Just after a change of a page. A first walk remembers where it began until it has passed that. */
export function positionAt(place: Place, { position }: FeedHead, seq: bigint): Position {
  const began = place.at === "beginning" ? position : place.at === "cursor" ? place.snapshotBound : null;
  return { seq, snapshotBound: began !== null && began > seq ? began : null };
}

export function maxOf(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}

function unknownFilter({ feedId }: ChangeFilter): AppError {
  return feedId === undefined
    ? new AppError("not_found", "There is no such source in this workspace.")
    : new AppError("feed_not_found", "There is no such feed in this workspace.");
}

export function scopeOf({ workspaceId, filter }: Walk, { head }: ReadPage): CursorScope {
  return { workspaceId, epoch: head.epoch, filter };
}

/** The cursor after a page. */
export function cursorAfter(walk: Walk, page: ReadPage): string {
  return encodeCursor(scopeOf(walk, page), page.position);
}

/** A page that a thousand waiters share is put together once. They have the same filter. */
const bodies = new WeakMap<ReadPage, Buffer>();

/** The body of an answer, as JSON in UTF-8. */
export function pageBody(walk: Walk, page: ReadPage): Buffer {
  let body = bodies.get(page);
  if (body === undefined) {
    const changes = page.rows.map((row, index) => `${index === 0 ? "" : ",\n"}${changeJson(row, walk.text)}`);
    const end = `],"cursor":"${cursorAfter(walk, page)}","hasMore":${page.hasMore}}`;
    body = encodePieces(['{"changes":[', ...changes, end]);
    bodies.set(page, body);
  }
  return body;
}

/** A walk that has a place of its own. */
export type PlacedWalk = Walk & { place: Extract<Place, { at: "cursor" }> };

/** Begins to read what the walk will ask for after a page that is not its last. */
export function readOn(db: Db, walk: Walk, page: ReadPage): void {
  if (page.hasMore) readAhead(db, toRequest(walk), toRequest(walkOn(walk, page)));
}

/** The walk after a page, to be continued. */
export function walkOn(walk: Walk, { position, head }: ReadPage): PlacedWalk {
  const isOfEpoch = (epoch: string) => epoch === head.epoch;
  return { ...walk, place: { at: "cursor", ...position, isOfEpoch } };
}
