/**
 * What ingest promises, as plain data structures: cursors and versions are small numbers, contents are
 * small numbers, a feed is a map. It shares no code with the server, so that agreeing with it means
 * something.
 */
export type ModelWatermark = "date" | "idSet" | "token" | "none";

export type ModelDocument = {
  key: string;
  /** null = unversioned. */
  version: number | null;
  /** A version of the other kind, refused once the feed's kind is known. */
  isOtherKind: boolean;
  content: number;
  deleted: boolean;
};

export type ModelCursor = { n: number; wire: string; recent: string[] };

export type ModelRow = {
  state: "live" | "tombstone";
  kind: "explicit" | "sweep" | null;
  version: number | null;
  content: number | null;
  seq: number;
  /** A sweep wrote this seq, even if an explicit delete confirmed it since. */
  wasSwept?: boolean;
};

export type ModelAnswer = {
  created: number;
  updated: number;
  skipped: number;
  deleted: number;
  rejected: string[];
  outcome: "advanced" | "unchanged" | "kept";
  conflict: boolean;
  cursor: string | null;
};

type Run = { isListing: boolean; startSeq: number; seen: Set<string> };
type Hold = { items: Map<string, number> };

export class StoreModel {
  rows = new Map<string, ModelRow>();
  cursor: ModelCursor | null = null;
  /** Cursors that transitions left behind, oldest first. */
  transitions: (ModelCursor | null)[] = [];
  seq = 0;
  kindIsKnown = false;
  feedKindIsOther = false;
  run: Run | null = null;
  hold: Hold | null = null;

  constructor(readonly watermark: ModelWatermark) {}

  push(
    documents: ModelDocument[],
    cursor: ModelCursor | null | undefined,
    before: ModelCursor | null | undefined,
    inRun: boolean,
  ): ModelAnswer {
    const decision = this.decide(cursor, before);
    const from = this.cursor;
    this.cursor = decision.cursor;
    if (decision.outcome === "advanced" || decision.conflict) this.transitions.push(this.cursor);
    else if (from !== this.cursor && decision.outcome !== "unchanged")
      throw new Error("moved without a transition");

    const answer: ModelAnswer = {
      created: 0,
      updated: 0,
      skipped: 0,
      deleted: 0,
      rejected: [],
      outcome: decision.outcome,
      conflict: decision.conflict,
      cursor: this.cursor?.wire ?? null,
    };
    const accepted: ModelDocument[] = [];
    for (const document of documents) {
      if (inRun) this.run?.seen.add(document.key);
      if (document.version !== null) {
        if (!this.kindIsKnown) {
          this.kindIsKnown = true;
          this.feedKindIsOther = document.isOtherKind;
        }
        if (document.isOtherKind !== this.feedKindIsOther) {
          answer.rejected.push("version_kind_mismatch");
          continue;
        }
      }
      accepted.push(document);
    }
    for (const document of this.settleDuplicates(accepted, answer)) this.apply(document, answer);
    answer.rejected.sort();
    return answer;
  }

  private settleDuplicates(documents: ModelDocument[], answer: ModelAnswer): ModelDocument[] {
    const winners: ModelDocument[] = [];
    for (const document of documents) {
      const rivals = documents.filter((other) => other.key === document.key);
      const versions = rivals.flatMap((other) => (other.version === null ? [] : [other.version]));
      const winner =
        versions.length > 0
          ? rivals.find((other) => other.version === Math.max(...versions))
          : rivals[rivals.length - 1];
      if (winner === document) winners.push(document);
      else answer.skipped += 1;
    }
    return winners;
  }

  private apply(document: ModelDocument, answer: ModelAnswer): void {
    const row = this.rows.get(document.key);
    const { version } = document;
    if (document.deleted) {
      const isNews = version !== null && (!row || row.version === null || version > row.version);
      if (isNews || (version === null && row?.state === "live")) {
        answer.deleted += 1;
        this.rows.set(document.key, {
          state: "tombstone",
          kind: "explicit",
          version: version ?? row?.version ?? null,
          content: null,
          seq: ++this.seq,
        });
        return;
      }
      if (version === null && row?.kind === "sweep") row.kind = "explicit";
      answer.skipped += 1;
      return;
    }
    if (row && row.version !== null && version === null) {
      answer.rejected.push("version_missing");
      return;
    }
    if (row && !this.mayReplace(row, document)) {
      answer.skipped += 1;
      return;
    }
    if (row?.state === "live") answer.updated += 1;
    else answer.created += 1;
    this.rows.set(document.key, {
      state: "live",
      kind: null,
      version,
      content: document.content,
      seq: ++this.seq,
    });
  }

  private mayReplace(row: ModelRow, { version, content }: ModelDocument): boolean {
    if (version !== null) {
      if (row.version === null || version > row.version) return true;
      return row.kind === "sweep" && version === row.version;
    }
    return row.state === "tombstone" || row.content !== content;
  }

  private decide(cursor: ModelCursor | null | undefined, before: ModelCursor | null | undefined) {
    const stored = this.cursor;
    const same = (a: ModelCursor | null, b: ModelCursor | null) => (a?.n ?? null) === (b?.n ?? null);
    const conflict = before !== undefined && !same(before, stored);
    const answer = (outcome: ModelAnswer["outcome"], value: ModelCursor | null, isConflict = conflict) => ({
      outcome,
      cursor: value,
      conflict: isConflict,
    });
    if (!cursor) return answer("unchanged", stored);
    if (stored && same(cursor, stored)) return answer("unchanged", this.merge(stored, cursor), false);
    if (this.watermark === "token") {
      const moves = before === undefined ? stored === null : same(before, stored);
      return moves ? answer("advanced", cursor) : answer("kept", stored);
    }
    const rank = (c: ModelCursor | null) => c?.n ?? -1;
    if (before && rank(before) > rank(stored)) return answer("kept", stored);
    return rank(cursor) > rank(stored) ? answer("advanced", cursor) : answer("kept", stored);
  }

  private merge(stored: ModelCursor, incoming: ModelCursor): ModelCursor {
    if (this.watermark !== "idSet") return stored;
    const recent = [...incoming.recent, ...stored.recent.filter((id) => !incoming.recent.includes(id))];
    if (recent.join() === stored.recent.join()) return stored;
    // The wire form of a merged idSet keeps the stored spelling of `high`.
    const high = stored.wire.startsWith("{") ? JSON.parse(stored.wire).high : stored.wire;
    return { n: stored.n, recent, wire: JSON.stringify({ high, recent }) };
  }

  reset(to: ModelCursor | null): void {
    this.cursor = to;
    this.transitions.push(to);
  }

  beginRun(listing: boolean): void {
    this.run = { isListing: listing || this.cursor === null, startSeq: this.seq, seen: new Set() };
  }

  /** @returns what the sweep tombstoned and what it holds. */
  finishRun(complete: boolean): { swept: number; held: number } {
    const run = this.run;
    this.run = null;
    if (!run?.isListing || !complete) return { swept: 0, held: 0 };
    this.hold = null;
    const live = [...this.rows].filter(([, row]) => row.state === "live");
    const gone = live.filter(([key, row]) => row.seq <= run.startSeq && !run.seen.has(key));
    if (gone.length === 0) return { swept: 0, held: 0 };
    if (gone.length === live.length || (gone.length > 10 && gone.length > live.length / 5)) {
      this.hold = { items: new Map(gone.map(([key, row]) => [key, row.seq])) };
      return { swept: 0, held: gone.length };
    }
    for (const [key] of gone) this.sweep(key);
    return { swept: gone.length, held: 0 };
  }

  approve(): number {
    let deleted = 0;
    for (const [key, seq] of this.hold?.items ?? []) {
      const row = this.rows.get(key);
      if (row?.state !== "live" || row.seq !== seq) continue;
      this.sweep(key);
      deleted += 1;
    }
    this.hold = null;
    return deleted;
  }

  private sweep(key: string): void {
    const row = this.rows.get(key);
    if (row)
      Object.assign(row, {
        state: "tombstone",
        kind: "sweep",
        content: null,
        seq: ++this.seq,
        wasSwept: true,
      });
  }
}
