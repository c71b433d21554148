import type { TidemarkError } from "../errors.ts";
import type { ConnectionOptions } from "../http/connection.ts";
import type { Change } from "../wire.ts";

/** Where a follower keeps its position between two starts. One follower per store. */
export type PositionStore = {
  /** The position stored last, null before the first. */
  load(): string | null | undefined | Promise<string | null | undefined>;
  /**
   * Called after `apply`. Leave it out where `apply` stores the position itself, in the same transaction
   * as the changes: that is the way to take when the copy lives in a database.
   */
  save?(position: string): void | Promise<void>;
};

/** What comes with a batch of changes. */
export type Step = {
  /** Store this together with the changes. Opaque: a store gives back exactly this. */
  position: string;
  /** Write this beside every document of an upsert: `sweep` is decided by it. Opaque. */
  generation: string;
  /** Is this the first batch of a walk from the beginning (the first start, or the old position expired)? */
  begins: boolean;
  /**
   * The walk from the beginning is complete with this batch: after its changes, and in the same
   * transaction, remove every document that does not bear this `generation`.
   */
  sweep: boolean;
  /** Is there more to fetch right now? */
  hasMore: boolean;
  /** The follower's own: work that takes long may end early by it, by throwing. */
  signal: AbortSignal | undefined;
};

/**
 * Applies a batch to the copy, in its order. It may be empty: then only the position moved, or there is
 * something to sweep. When it throws, nothing was stored, and the batch comes again with the next start.
 */
export type Apply = (changes: Change[], step: Step) => void | Promise<void>;

/** What the follower is doing, for logs and for people. */
export type FollowStatus =
  | { type: "applied"; changes: number; hasMore: boolean; sweep: boolean }
  /** Everything there is has been applied; the server is asked to answer when something changes. */
  | { type: "waiting" }
  /** A failure that may pass. The position is safe; the same request is sent again after `delayMs`. */
  | { type: "retrying"; error: TidemarkError; attempt: number; delayMs: number }
  /** The position expired: a walk from the beginning starts. `reason`: horizon, epoch or ahead. */
  | { type: "restarting"; reason: string; error: TidemarkError };

export type FollowOptions = ConnectionOptions & {
  store: PositionStore;
  apply: Apply;
  /** Aborting ends the follower; what `apply` is doing then is let finish. */
  signal?: AbortSignal;
  /** Only this source. A position belongs to the filter it was made with. */
  sourceId?: string;
  /** Only this feed. */
  feedId?: string;
  /** Documents with their text. Turned on later, it holds for what changes from then on. */
  text?: boolean;
  /** A name for this follower, shown in the dashboard with how far behind it is. */
  consumer?: string;
  /** The most changes in a batch: 1–1000, by default 500, with text 100. */
  limit?: number;
  /** How long the server may hold a request when there is nothing new, in seconds: 1–55, by default 25. */
  wait?: number;
  /** Return when everything there is has been applied, for a job that runs now and then. */
  stopWhenCaughtUp?: boolean;
  onStatus?: (status: FollowStatus) => void;
};

export type FollowSummary = {
  /** Changes applied. */
  changes: number;
  /** How often the position had expired. */
  restarts: number;
};
