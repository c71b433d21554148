import type { CursorOutcome, Rejection } from "../wire.ts";
import { type Answer, problem } from "./answers.ts";

const MAX_BODY_BYTES = 8 * 1024 * 1024;

type Item = { id?: unknown; version?: unknown; text?: unknown; deleted?: unknown } | null;
type Body = { documents: Item[]; cursor?: string | null; cursorBefore?: string | null; runId?: string };

/** A feed whose cursor is a decimal, and the conflict table. */
export class FakeFeed {
  cursor: string | null = null;
  readonly documents = new Map<string, Item>();
  readonly calls: Body[] = [];
  /** Told of each call before it is decided: a rival writer. */
  rival: ((call: Body, feed: FakeFeed) => void) | null = null;

  describe() {
    return { id: "feed_1", sourceId: "src_1", cursor: this.cursor };
  }

  ingest(raw: Buffer): Answer {
    if (raw.length > MAX_BODY_BYTES) return problem(413, "body_too_large");
    const body = JSON.parse(raw.toString()) as Body;
    if (body.documents.length > 50) return problem(422, "too_many_documents");
    this.rival?.(body, this);
    this.calls.push(body);
    const counts = { created: 0, updated: 0, documentsSkipped: 0, documentsDeleted: 0 };
    const documentsRejected: Rejection[] = [];
    for (const [index, item] of body.documents.entries()) {
      if (item === null || typeof item.id !== "string") {
        documentsRejected.push({ index, id: null, code: "external_id_missing", message: "no id" });
      } else if (this.documents.has(item.id)) counts.documentsSkipped += 1;
      else {
        this.documents.set(item.id, item);
        counts.created += 1;
      }
    }
    const { outcome, conflict } = this.#decide(body);
    if (outcome === "advanced") this.cursor = body.cursor ?? null;
    return {
      status: 200,
      body: {
        ...counts,
        documentsIndexed: counts.created + counts.updated,
        documentsRejected,
        cursor: this.cursor,
        cursorOutcome: outcome,
        conflict,
        warnings: conflict ? [{ code: "cursor_conflict", message: "someone else synced meanwhile" }] : [],
        runId: body.runId ?? "run_1",
      },
    };
  }

  #decide({ cursor, cursorBefore }: Body): { outcome: CursorOutcome; conflict: boolean } {
    const conflict = cursorBefore !== undefined && cursorBefore !== this.cursor;
    if (cursor === undefined || cursor === null) return { outcome: "unchanged", conflict };
    if (cursor === this.cursor) return { outcome: "unchanged", conflict: false };
    const stored = rank(this.cursor);
    if (rank(cursorBefore ?? null) > stored) return { outcome: "kept", conflict };
    return { outcome: rank(cursor) > stored ? "advanced" : "kept", conflict };
  }
}

function rank(cursor: string | null): number {
  return cursor === null ? -1 : Number(cursor);
}
