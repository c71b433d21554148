import { formatUtc } from "@/components/time-words";

export type WatermarkName = "date" | "idSet" | "token" | "none" | null;

/** A cursor in words; the raw spelling is shown beside it. */
export function cursorInWords(watermark: WatermarkName, cursor: string | null): string {
  if (watermark === "none") return "This feed keeps no position: each sync lists everything";
  if (cursor === null) return "No position yet: the next sync starts at the beginning";
  if (watermark === "date") {
    const date = new Date(cursor);
    return Number.isNaN(date.getTime())
      ? `Everything up to ${cursor}`
      : `Everything up to ${formatUtc(date)}`;
  }
  if (watermark === "idSet") return `Everything up to id ${readHigh(cursor)}`;
  return "At a position that only the upstream can read";
}

/** What the next sync will ask the upstream for. */
export function nextAskInWords(watermark: WatermarkName, cursor: string | null, sourceType: string): string {
  if (sourceType === "api") {
    return cursor === null
      ? "A program pushes documents here. It has not told a position yet."
      : "A program pushes documents here and continues from this position.";
  }
  if (watermark === "none" || cursor === null) return "The next sync asks for everything the upstream lists.";
  if (watermark === "date") {
    return "The next sync reads what the upstream lists now and keeps what is new or changed; what was stored already costs nothing.";
  }
  if (watermark === "idSet") return `The next sync asks for what comes after id ${readHigh(cursor)}.`;
  return "The next sync hands the token back and asks for what changed since.";
}

function readHigh(cursor: string): string {
  if (!cursor.startsWith("{")) return cursor;
  try {
    const parsed = JSON.parse(cursor) as { high?: unknown };
    return typeof parsed.high === "string" ? parsed.high : cursor;
  } catch {
    return cursor;
  }
}

/** For where the feed's watermark is not at hand: its shape tells dates and ids from tokens. */
export function guessCursorInShort(cursor: string): string {
  if (/^\d{4}-\d{2}-\d{2}T/.test(cursor)) return cursorInShort("date", cursor);
  return cursor.startsWith("{") ? cursorInShort("idSet", cursor) : cursor;
}

/** One line for tables: short, without the sentence around it. */
export function cursorInShort(watermark: WatermarkName, cursor: string | null): string {
  if (cursor === null) return "none";
  if (watermark === "date") {
    const date = new Date(cursor);
    return Number.isNaN(date.getTime()) ? cursor : formatUtc(date);
  }
  return watermark === "idSet" ? `id ${readHigh(cursor)}` : cursor;
}
