import type { Cursor, WatermarkType } from "../adapter.ts";
import { isRecord } from "../http/describe-answer.ts";
import type { FeedCursor } from "../wire.ts";

/** A feed's stored cursor as an adapter sees it. */
export function toAdapterCursor(watermark: WatermarkType, stored: string | null): Cursor {
  if (stored === null || watermark === "none") return { type: "none" };
  if (watermark === "idSet") return readIdSet(stored);
  return { type: watermark, value: stored };
}

/**
 * An adapter's cursor as it goes over the wire, spelled as the server's own runner spells it; undefined for
 * none.
 *
 * @param isKnown Does the feed have its watermark yet? If not the server infers it, and a bare id that is
 *   no number would be taken for a token.
 */
export function toWireCursor(cursor: Cursor, isKnown: boolean): FeedCursor | undefined {
  switch (cursor.type) {
    case "none":
      return undefined;
    case "idSet": {
      const isPlain = cursor.recent.length === 0 && (isKnown || /^\d+$/.test(cursor.high));
      return isPlain ? cursor.high : JSON.stringify({ high: cursor.high, recent: cursor.recent });
    }
    default:
      return cursor.value;
  }
}

/** Either spelling: one id, or JSON with recent ones. */
function readIdSet(stored: string): Cursor {
  if (stored.trimStart().startsWith("{")) {
    const value: unknown = JSON.parse(stored);
    if (isRecord(value) && typeof value.high === "string") {
      const recent = Array.isArray(value.recent) ? value.recent.filter((id) => typeof id === "string") : [];
      return { type: "idSet", high: value.high, recent };
    }
  }
  return { type: "idSet", high: stored, recent: [] };
}
