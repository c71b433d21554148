import type { JsonObject, PollHints } from "@/sdk/adapter";
import type { Rejection } from "./prepare-document";

/** The most documents one call carries. */
export const MAX_DOCUMENTS = 50;

export type IngestInput = {
  feedId: string;
  /** When given it must be the feed's. */
  sourceId?: string;
  /** Checked one by one: a bad item is rejected alone. */
  documents: unknown[];
  /** Absent or null: leave the cursor. */
  cursor?: unknown;
  /** What the writer read before it fetched; undefined = no check, null = "I read no cursor". */
  cursorBefore?: unknown;
  runId?: string;
  /**
   * The documents come from an adapter, whose `key` decides identity. On the wire `key` is a field like
   * any unknown one: a pusher's own meaning of it must not merge documents.
   */
  fromAdapter?: boolean;
  /** A fresh token after a listing from nothing: its transition says `resync`. */
  resync?: boolean;
  /** What else a runner's page carries; stored on the feed in the same transaction. */
  page?: { state?: JsonObject; hints?: PollHints; feedTitle?: string };
};

export type IngestWarning = { code: "cursor_conflict" | "cursor_clamped" | "cursor_kept"; message: string };

/** The answer of an ingest call, as on the wire. */
export type IngestResult = {
  /** created + updated */
  documentsIndexed: number;
  documentsSkipped: number;
  documentsDeleted: number;
  /** Revived ones too. */
  created: number;
  updated: number;
  documentsRejected: Rejection[];
  /** The final, authoritative cursor. */
  cursor: string | null;
  cursorOutcome: "advanced" | "unchanged" | "kept";
  conflict: boolean;
  warnings: IngestWarning[];
  runId: string;
};

export type Counts = { created: number; updated: number; skipped: number; deleted: number; rejected: number };
