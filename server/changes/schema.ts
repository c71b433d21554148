import { z } from "zod";
import { idText, shortText } from "@/server/inputs";
import { tableFields } from "@/server/tables/schema";
import { MAX_RETENTION_DAYS } from "@/server/workspaces/choices";
import { CONSUMER_SORTS } from "./choices";

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

export const browseConsumersInput = z.object({ sort: z.enum(CONSUMER_SORTS).optional(), ...tableFields });
export type BrowseConsumersInput = z.infer<typeof browseConsumersInput>;

/** `changes.retentionEffect`: the days that are being thought of. */
export const retentionEffectInput = z.object({ days: z.int().min(1).max(MAX_RETENTION_DAYS) });

/** What keeping deletes for fewer days would do with the next maintenance. */
export type RetentionEffect = {
  /** Deletes that would be forgotten at once, counted up to MAX_COUNTED_DELETES. */
  deletes: number;
  /** Followers that would then have to start again, by name; a thousand at most. */
  consumers: string[];
};

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

/** An event of tRPC `changes.tail`, and how people call the feeds in it, by id; a deleted one has no names. */
export type TailPage = ChangePage & {
  names: Record<string, { feedName: string | null; sourceName: string | null }>;
};

/** An item of tRPC `changes.consumers`, the one seen last first unless asked otherwise. */
export type ConsumerItem = {
  name: string;
  /** The seq it presented last: it has everything up to here. */
  position: string;
  /** Seqs between its position and the safe point, an upper bound of the changes it lacks. Null when expired. */
  lag: string | null;
  /** Changes within its filter that it lacks, counted up to MAX_COUNTED_BEHIND. Null when expired. */
  behind: number | null;
  /** When the first of them happened. Null when it lacks none. */
  behindSince: string | null;
  /** Seqs between the horizon and its position; null when expired. "0" is the brink. */
  distanceToHorizon: string | null;
  /**
   * When its cursor expires unless it pulls before: the first delete that it was not told of is then old
   * enough to be purged. Null while there is no such delete, and when it has expired.
   */
  expiresAt: string | null;
  /** Why it has to start again from nothing: its position is below the horizon or of another epoch. */
  expiredBy: "horizon" | "epoch" | null;
  /** It has not finished its first walk yet. */
  isFirstWalk: boolean;
  sourceId: string | null;
  feedId: string | null;
  /** Of its filter; null also when what it names was deleted. */
  sourceName: string | null;
  feedName: string | null;
  /** Who pulled last: a token or a person, by name. */
  by: { type: "user" | "token" | "scheduler" | "cli"; name: string | null };
  seenAt: string;
  createdAt: string;
};
