import type { TidemarkError } from "../errors.ts";
import type { ConnectionOptions } from "../http/connection.ts";
import type { CursorOutcome, FeedCursor, PushDocument, Rejection, Warning } from "../wire.ts";

/**
 * Between documents: "everything before this is handed over; go on from here next time". Send them only
 * while walking from old to new. Walking from new to old, give `cursor` alone: a checkpoint would leave
 * a hole if the push ended half-way.
 */
export type Checkpoint = { checkpoint: FeedCursor };

export type PushItems = Iterable<PushDocument | Checkpoint> | AsyncIterable<PushDocument | Checkpoint>;

export type PushOptions = ConnectionOptions & {
  feedId: string;
  /** When given, the feed must be this source's. */
  sourceId?: string;
  /**
   * What to push, or how to fetch it from a position on. As a function it is asked with the feed's cursor
   * (null = from the beginning), and asked again from the newer one when somebody else moved it meanwhile.
   */
  documents: PushItems | ((from: string | null) => PushItems | Promise<PushItems>);
  /**
   * The position that stands for all of `documents`; sent with the last of them. As a function it is asked
   * when they have all been read. Absent or null: the feed's cursor is left alone.
   */
  cursor?: FeedCursor | null | (() => FeedCursor | null | undefined);
  /**
   * The feed's cursor that `documents` were fetched from; null = there was none. Absent: not checked, or,
   * when `documents` is a function, read from the feed (the token then needs `sources:read` too).
   */
  cursorBefore?: FeedCursor | null;
  /** The run this belongs to; without, each call is a run of its own in the audit trail. */
  runId?: string;
  signal?: AbortSignal;
  onStatus?: (status: PushStatus) => void;
};

export type PushStatus =
  /** One call was answered. `documents`: how many it carried. */
  | { type: "pushed"; documents: number; cursor: string | null }
  /** A failure that may pass; the same call is sent again after `delayMs`. */
  | { type: "retrying"; error: TidemarkError; attempt: number; delayMs: number }
  /** Somebody else moved the cursor: `documents` is asked again, from here. */
  | { type: "restarting"; from: string | null };

/** What became of it all: the sum over all calls. Indexed + skipped + deleted + rejected = documents sent. */
export type PushSummary = {
  /** Created + updated. */
  documentsIndexed: number;
  documentsSkipped: number;
  documentsDeleted: number;
  created: number;
  updated: number;
  /**
   * `index` counts the documents of `documents` from 0, `pass` the times it was asked. Beside the server's
   * codes, `document_too_large` and `document_invalid` mean: not sent, because no call could carry it.
   */
  documentsRejected: (Rejection & { pass: number })[];
  /** The feed's cursor now, whoever moved it. */
  cursor: string | null;
  /** Of the last call that carried a cursor. `kept`: the feed was ahead of it, or it belonged to another past. */
  cursorOutcome: CursorOutcome;
  /** Of the last call that carried a cursor: had somebody else moved the feed's since `cursorBefore`? */
  conflict: boolean;
  warnings: Warning[];
  /** Of the last call. */
  runId: string;
  calls: number;
  /** How often `documents` was asked again. */
  restarts: number;
};
