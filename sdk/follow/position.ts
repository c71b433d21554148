import { TidemarkError } from "../errors.ts";
import { isRecord } from "../http/describe-answer.ts";

/** Where a follower is. What it stores is this as text, opaque to it. */
export type Position = {
  /** The server's; null before the first page. */
  cursor: string | null;
  /** Names the latest walk from the beginning. */
  generation: string;
  /** Is that walk still going on? Then what the copy held before it is not swept yet. */
  walking: boolean;
};

/** Before the first page of a walk. */
export function beginWalk(): Position {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  // Random and not counted up: a follower whose position was lost must not reuse a mark that its copy bears.
  const generation = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return { cursor: null, generation, walking: true };
}

export function writePosition({ cursor, generation, walking }: Position): string {
  return JSON.stringify({ v: 1, cursor, generation, walking });
}

/** @throws TidemarkError position_invalid: guessing could sweep a good copy or skip changes. */
export function readPosition(stored: unknown): Position {
  try {
    const value: unknown = typeof stored === "string" ? JSON.parse(stored) : null;
    if (isRecord(value) && value.v === 1) {
      const { cursor, generation, walking } = value;
      if (isText(cursor) && isText(generation) && typeof walking === "boolean") {
        return { cursor, generation, walking };
      }
    }
  } catch {
    // Reported below, like any other text that is none of ours.
  }
  throw new TidemarkError(
    "position_invalid",
    "The store's load() gave something that is no position. It must give back the `position` that was stored last, " +
      "unchanged, or null before the first. Removing what is stored starts from the beginning; nothing is lost by that.",
  );
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}
