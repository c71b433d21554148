import { isRecord } from "../http/describe-answer.ts";
import type { FeedCursor, Rejection } from "../wire.ts";
import { type EncodedDocument, encodeDocument, idOf } from "./encode-document.ts";
import { iterate } from "./iterate.ts";
import type { Checkpoint, PushItems } from "./options.ts";

/** The most documents one call may carry. */
export const MAX_DOCUMENTS = 50;

export type Slice = {
  documents: EncodedDocument[];
  /** The latest checkpoint that all documents before it are in this slice or an earlier one. */
  checkpoint: FeedCursor | undefined;
  /** Items that no call can carry. */
  rejected: Rejection[];
  isLast: boolean;
};

/**
 * Cuts documents into what single calls can carry, in their order. A slice is handed out only when it is
 * known whether another one follows, since the last one alone may carry the push's cursor.
 *
 * @param maxBytes In bytes of UTF-8: what the documents of a slice may have together, asked each time; and
 *   what none may exceed. One between the two goes alone.
 */
export async function* sliceDocuments(
  items: PushItems,
  maxBytes: { ofSlice: () => number; ofDocument: number },
  signal: AbortSignal | undefined,
): AsyncGenerator<Slice, void, undefined> {
  let slice = emptySlice();
  let bytes = 0;
  let index = 0;
  for await (const item of iterate<unknown>(items, signal)) {
    if (isCheckpoint(item)) {
      slice.checkpoint = item.checkpoint;
      continue;
    }
    const document = encodeOrReject(item, index++, maxBytes.ofDocument);
    if ("code" in document) {
      slice.rejected.push(document);
      continue;
    }
    const size = document.bytes + 1; // and the comma between
    if (slice.documents.length === MAX_DOCUMENTS || (bytes > 0 && bytes + size > maxBytes.ofSlice())) {
      yield slice;
      slice = emptySlice();
      bytes = 0;
    }
    slice.documents.push(document);
    bytes += size;
  }
  yield { ...slice, isLast: true };
}

function emptySlice(): Slice {
  return { documents: [], checkpoint: undefined, rejected: [], isLast: false };
}

function isCheckpoint(item: unknown): item is Checkpoint {
  return isRecord(item) && "checkpoint" in item && !("id" in item);
}

function encodeOrReject(item: unknown, index: number, maxBytes: number): EncodedDocument | Rejection {
  try {
    const document = encodeDocument(item, index);
    return document.bytes <= maxBytes ? document : tooLarge(document);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const message = `Not sent: it cannot be written as JSON (${reason}).`;
    return { index, id: idOf(item), code: "document_invalid", message };
  }
}

export function tooLarge({ index, id, bytes }: EncodedDocument): Rejection {
  const message = `Not sent: its JSON alone has ${bytes} bytes, more than the server takes in one call.`;
  return { index, id, code: "document_too_large", message };
}
