import { TidemarkError } from "../errors.ts";
import { isRecord } from "../http/describe-answer.ts";
import type { FeedCursor, IngestAnswer } from "../wire.ts";
import type { EncodedDocument } from "./encode-document.ts";

/** What one request carries. */
export type Call = {
  documents: EncodedDocument[];
  cursor: FeedCursor | undefined;
  /** Undefined = do not check, null = there was none. */
  cursorBefore: FeedCursor | null | undefined;
};

export function writeBody({ documents, ...cursors }: Call, sourceId?: string, runId?: string): string {
  const rest = JSON.stringify({ ...cursors, sourceId, runId }).slice(1, -1);
  return `{"documents":[${documents.map(({ json }) => json).join(",")}]${rest && `,${rest}`}}`;
}

export function requireIngestAnswer(value: unknown): IngestAnswer {
  const isOne =
    isRecord(value) &&
    typeof value.documentsIndexed === "number" &&
    typeof value.cursorOutcome === "string" &&
    Array.isArray(value.documentsRejected) &&
    Array.isArray(value.warnings);
  if (isOne) return value as IngestAnswer;
  throw new TidemarkError("unexpected_answer", "The answer is none to a push. Check `url`.", { status: 200 });
}

export function requireCursorOf(feed: unknown): string | null {
  if (isRecord(feed) && (typeof feed.cursor === "string" || feed.cursor === null)) return feed.cursor;
  throw new TidemarkError("unexpected_answer", "The answer is no feed. Check `url`.", { status: 200 });
}
