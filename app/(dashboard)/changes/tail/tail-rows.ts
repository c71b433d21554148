import type { DocumentRow, TailPage } from "@/app/(dashboard)/_lib/types";

/** A change as the tail shows it. */
export type TailRow = {
  seq: string;
  op: "upsert" | "delete";
  documentId: string;
  externalId: string;
  title: string | null;
  version: string | null;
  feedId: string;
  feedName: string | null;
  sourceName: string | null;
  changedAt: string;
};

/** As many as somebody reads; a tail that is left open for a week must not fill the browser. */
export const MAX_ROWS = 50;

export type TailRows = {
  /** What is shown, the latest first. */
  rows: TailRow[];
  /** What came while the tail was paused, the latest first; more than MAX_ROWS are only counted. */
  held: TailRow[];
  heldCount: number;
  /** Changes that came since the page was opened, paused or not. */
  came: number;
  isPaused: boolean;
};

export const NO_ROWS: TailRows = { rows: [], held: [], heldCount: 0, came: 0, isPaused: false };

export type TailAct =
  | { type: "came"; rows: TailRow[] }
  /** The last that were stored, as a list tells them. */
  | { type: "before"; rows: TailRow[] }
  | { type: "pause" }
  | { type: "resume" };

export function tailReducer(state: TailRows, act: TailAct): TailRows {
  switch (act.type) {
    case "before":
      return state.isPaused && state.rows.length > 0
        ? hold(state, freshOf(state, act.rows))
        : { ...state, rows: merge(state.rows, act.rows) };
    case "pause":
      return { ...state, isPaused: true };
    case "resume":
      return { ...state, isPaused: false, rows: merge(state.rows, state.held), held: [], heldCount: 0 };
    case "came": {
      const fresh = freshOf(state, act.rows);
      const next = { ...state, came: state.came + fresh.length };
      return state.isPaused ? hold(next, fresh) : { ...next, rows: merge(state.rows, fresh) };
    }
  }
}

/** What is not here yet. Below the last row of a full list lies what was let go: that is not new. */
function freshOf({ rows, held }: TailRows, more: TailRow[]): TailRow[] {
  const known = new Set([...rows, ...held].map((row) => row.seq));
  const floor = rows.length === MAX_ROWS ? BigInt(rows.at(-1)?.seq ?? 0) : 0n;
  return more.filter((row) => !known.has(row.seq) && BigInt(row.seq) > floor);
}

function hold(state: TailRows, fresh: TailRow[]): TailRows {
  return { ...state, heldCount: state.heldCount + fresh.length, held: merge(state.held, fresh) };
}

/** By place in the feed, each once, the oldest let go. */
function merge(shown: TailRow[], more: TailRow[]): TailRow[] {
  const bySeq = new Map([...more, ...shown].map((row) => [row.seq, row]));
  return [...bySeq.values()].sort((a, b) => (BigInt(a.seq) < BigInt(b.seq) ? 1 : -1)).slice(0, MAX_ROWS);
}

export function rowsOfPage({ changes, names }: Pick<TailPage, "changes" | "names">): TailRow[] {
  return changes.map(({ document, sourceId: _, ...change }) => ({
    ...change,
    title: document?.title ?? null,
    feedName: names[change.feedId]?.feedName ?? null,
    sourceName: names[change.feedId]?.sourceName ?? null,
  }));
}

export function rowsOfDocuments(documents: DocumentRow[]): TailRow[] {
  return documents.map((document) => ({
    seq: document.seq,
    op: document.deleted ? "delete" : "upsert",
    documentId: document.id,
    externalId: document.externalId,
    title: document.title,
    version: document.version,
    feedId: document.feedId,
    feedName: document.feedName,
    sourceName: document.sourceName,
    changedAt: document.changedAt,
  }));
}
