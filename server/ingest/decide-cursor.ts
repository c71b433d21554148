import type { WatermarkType } from "@/sdk/adapter";
import {
  clampToLimit,
  comparePositions,
  isSamePosition,
  mergeIdSets,
  type Position,
  parsePosition,
} from "./cursor";

export type CursorDecision = {
  outcome: "advanced" | "unchanged" | "kept";
  /** Someone else synced meanwhile: the writer's `cursorBefore` is not what is stored. */
  conflict: boolean;
  clamped: boolean;
  /** What to store and to answer. */
  cursor: string | null;
  /** The feed's type from now on; null while nobody sent a cursor. */
  watermark: WatermarkType | null;
};

/**
 * The compare-and-swap of a call's cursor against the stored one. First match decides; null is behind
 * everything. A conflict alone never loses data: the documents are stored either way.
 *
 * @param feed S, under the feed's row lock.
 * @param cursor C as sent. @param cursorBefore B as sent; undefined = the writer gave none.
 * @param limit what a date may not pass: the run's start, or the time now for a bare push.
 * @throws AppError cursor_invalid; nothing may be written then.
 */
export function decideCursor(
  feed: { watermark: WatermarkType | null; cursor: string | null },
  { cursor, cursorBefore, limit }: { cursor: unknown; cursorBefore: unknown; limit: Date },
): CursorDecision {
  const sent = parsePosition(cursor, feed.watermark);
  const watermark = feed.watermark ?? sent?.type ?? null;
  const stored = parsePosition(feed.cursor, watermark);
  const before = parsePosition(cursorBefore, watermark);
  const conflict = cursorBefore !== undefined && !isSamePosition(before, stored);
  const { position, clamped } = sent ? clampToLimit(sent, limit) : { position: null, clamped: false };

  const decide = (
    outcome: CursorDecision["outcome"],
    value: string | null,
    isConflict = conflict,
  ): CursorDecision => ({
    outcome,
    conflict: isConflict,
    clamped,
    cursor: value,
    watermark,
  });

  if (!position) return decide("unchanged", feed.cursor);
  // A retry whose answer was lost: never a conflict, though B is what came before.
  if (stored && isSamePosition(position, stored))
    return decide("unchanged", mergeIdSets(stored, position), false);
  if (position.type === "token") {
    const mayMove = cursorBefore === undefined ? stored === null : isSamePosition(before, stored);
    return mayMove ? decide("advanced", position.wire) : decide("kept", feed.cursor);
  }
  // Only a deliberate reset puts a writer's B ahead, so C belongs to the time before it.
  if (isAhead(before, stored)) return decide("kept", feed.cursor);
  if (isAhead(position, stored)) return decide("advanced", position.wire);
  return decide("kept", feed.cursor);
}

function isAhead(a: Position | null, b: Position | null): boolean {
  return comparePositions(a, b) > 0;
}
