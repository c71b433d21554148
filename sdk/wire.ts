/** What goes over the wire: `/api/v1`, JSON. Times are RFC 3339 UTC, 64-bit numbers strings. */

export type JsonValue = string | number | boolean | null | JsonValue[] | { [key: string]: JsonValue };
export type JsonObject = { [key: string]: JsonValue };

/** What a document holds, as the change feed carries it. */
export type ChangeDocument = {
  title: string | null;
  url: string | null;
  author: string | null;
  date: string | null;
  metadata: JsonObject;
  /** Only when it was asked for with `text: true`. */
  text?: string | null;
};

type ChangeOf<Op extends string, Document> = {
  /** Position of the change in the workspace's one order; a decimal, too large for a number. */
  seq: string;
  op: Op;
  sourceId: string;
  feedId: string;
  /** What to key a copy by: unique in the workspace, the same for the document's whole life. */
  documentId: string;
  /** The upstream's own id, unique in its feed. */
  externalId: string;
  version: string | null;
  changedAt: string;
  document: Document;
};

/** A document is as `document` says now, whether it was known before or not. */
export type Upsert = ChangeOf<"upsert", ChangeDocument>;
/** A document is gone; perhaps it was never known here. */
export type Delete = ChangeOf<"delete", null>;
export type Change = Upsert | Delete;

/** An answer of `GET /changes`. */
export type ChangesPage = { changes: Change[]; cursor: string; hasMore: boolean };

/** Why a cursor is of no use any more. */
export type ExpiredReason = "horizon" | "epoch" | "ahead";

/** A document to push. Absent fields are unknown, not empty. */
export type PushDocument = {
  /** The upstream's own id, exactly as published. At most 8,192 bytes of UTF-8. */
  id: string | number | bigint;
  /** Decimal integer of at most 38 digits, or RFC 3339; only a greater one changes a document. */
  version?: string | number | bigint | Date;
  /** Opaque (ETag, hash, `_rev`); joins the content hash that decides where there is no version. */
  revision?: string;
  title?: string | null;
  /** At most 1 MiB of UTF-8. */
  text?: string | null;
  format?: "text" | "html" | "markdown";
  url?: string | null;
  author?: string | null;
  date?: string | Date | null;
  /** At most 64 KiB. */
  metadata?: JsonObject | null;
  /** True deletes the document. Leaving a document out never does. */
  deleted?: boolean;
};

/** A feed's position: a string, or for an `idSet` feed also an object. */
export type FeedCursor = string | { high: string; recent?: string[] };

export type CursorOutcome = "advanced" | "unchanged" | "kept";

/** An item that could not be stored; the others were. `index` counts from 0. */
export type Rejection = { index: number; id: string | null; code: string; message: string };

export type Warning = { code: string; message: string };

/** An answer of `POST /feeds/{feedId}/documents`. */
export type IngestAnswer = {
  /** Created + updated. */
  documentsIndexed: number;
  documentsSkipped: number;
  documentsDeleted: number;
  created: number;
  updated: number;
  documentsRejected: Rejection[];
  /** The feed's cursor now, whoever moved it. */
  cursor: string | null;
  cursorOutcome: CursorOutcome;
  /** Someone else moved the cursor since `cursorBefore` was read. */
  conflict: boolean;
  warnings: Warning[];
  runId: string;
};
