import { z } from "zod";
import { idText, shortText } from "@/server/inputs";

/** What goes into and comes out of the change feed. Safe for browsers. */

export const DEFAULT_CHANGES = 100;
export const MAX_CHANGES = 1000;
/** Below the idle time of usual proxies (60 s). */
export const MAX_WAIT_SECONDS = 55;

/** A name that a program gives itself, to be found again in the list of consumers. */
export const consumerName = shortText(100);

/** Anything: what is not a cursor is `cursor_invalid` (cursor.ts), not an invalid request. */
export const cursorText = z.string();

/** Bound into a cursor: a walk cannot change what it leaves out. */
const filterFields = { sourceId: idText.optional(), feedId: idText.optional() };

export const pullChangesInput = z.object({
  /** As it was handed out, or `now`. Absent: from the beginning. */
  cursor: cursorText.optional(),
  limit: z.int().min(1).max(MAX_CHANGES).optional(),
  ...filterFields,
  /** Also the documents' text. */
  text: z.boolean().optional(),
});

/** `changes.tail`: from `cursor` on, which is `now` when absent. */
export const tailChangesInput = z.object({
  cursor: cursorText.optional(),
  ...filterFields,
  /** Set by tRPC when a connection is taken up again; the cursor after the last event. */
  lastEventId: z.string().max(200).nullish(),
});

export const deleteConsumerInput = z.object({ name: consumerName });

/** Of one walk. */
export type ChangeFilter = { sourceId?: string; feedId?: string };

/** One change on the wire. `seq` grows; a key comes once per walk unless it changes again. */
export type Change = {
  seq: string;
  op: "upsert" | "delete";
  sourceId: string;
  feedId: string;
  documentId: string;
  externalId: string;
  version: string | null;
  changedAt: string;
  /** Null for a delete. */
  document: {
    title: string | null;
    url: string | null;
    author: string | null;
    date: string | null;
    metadata: Record<string, unknown>;
    /** Only when it was asked for. */
    text?: string | null;
  } | null;
};

/** tRPC `changes.pull`; an event of `changes.tail` is one too (tracked by its cursor, never empty but for the first). */
export type ChangePage = {
  changes: Change[];
  /** Always there; goes back as `cursor`. */
  cursor: string;
  /** Ask again at once. */
  hasMore: boolean;
};

/** REST `/changes/head`. 64-bit numbers are strings. */
export type ChangeHead = {
  /** Highest committed seq of the workspace, "0" when empty. */
  head: string;
  /** Highest committed seq that may be served now; below `head` while an older writer is open. */
  safePoint: string;
  /** Below it tombstones were purged: an older cursor is expired. */
  horizon: string;
  /** Of this incarnation of the change log. */
  epoch: string;
  /** Starts a walk here, without a filter. */
  cursor: string;
};

/**
 * tRPC `changes.status`, what the page "Change feed" shows at its head. Live hint: none; read it again
 * every few seconds, or with each event of `changes.tail`.
 */
export type ChangeFeedStatus = Omit<ChangeHead, "cursor"> & {
  /** Long polls and streams of this workspace that wait in the process that answered. */
  waiters: number;
  /** How many may wait in one process, of all workspaces. */
  maxWaiters: number;
  /** Days a tombstone is kept: a follower that stays away for longer has to start again. */
  retentionDays: number;
};

/** tRPC `changes.consumers`, the one seen last first. */
export type ConsumerItem = {
  name: string;
  /** The seq it presented last: it has everything up to here. */
  position: string;
  /** Seqs between its position and the safe point, an upper bound of the changes it lacks. Null when expired. */
  lag: string | null;
  /** Seqs between the horizon and its position; null when expired. "0" is the brink. */
  distanceToHorizon: string | null;
  /** It has to start again from nothing: its position is below the horizon or of another epoch. */
  isExpired: boolean;
  /** It has not finished its first walk yet. */
  isFirstWalk: boolean;
  sourceId: string | null;
  feedId: string | null;
  /** Of the token it used last, or of the person. */
  tokenName: string | null;
  seenAt: string;
  createdAt: string;
};
