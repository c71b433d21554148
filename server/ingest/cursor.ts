import type { Cursor, WatermarkType } from "@/sdk/adapter";
import { AppError } from "@/server/errors";
import { compareInstants, type Instant, instantFromDate, instantToIso, parseInstant } from "./instant";

/** The most ids an idSet cursor carries beside its high mark. */
export const MAX_RECENT = 500;
const MAX_TOKEN_BYTES = 8 * 1024;
/** 500 ids of a usual length and their JSON; far above what any upstream sends. */
const MAX_ID_SET_BYTES = 64 * 1024;

/** A cursor as it was sent or stored, and what its watermark makes of it. */
export type Position =
  | { type: "date"; wire: string; instant: Instant }
  | { type: "idSet"; wire: string; high: string; recent: string[] }
  | { type: "token"; wire: string };

/**
 * Reads the cursor of a call or of a stored feed.
 *
 * @param raw a string, an object for idSet, null or undefined.
 * @param watermark null while the feed's type is not known: it is then inferred.
 * @returns null for null and undefined.
 * @throws AppError cursor_invalid
 */
export function parsePosition(raw: unknown, watermark: WatermarkType | null): Position | null {
  if (raw === null || raw === undefined) return null;
  if (watermark === "none")
    throw invalid("This feed keeps no position (watermark none), so it takes no cursor.");
  const wire = toWire(raw);
  if (wire.includes("\0")) throw invalid("The cursor contains U+0000.");
  if (!wire.isWellFormed()) throw invalid("The cursor contains a lone surrogate.");
  const isObject = typeof raw === "object";
  if (isObject && watermark !== null && watermark !== "idSet") {
    throw invalid(`This feed's cursor is a ${watermark}, so it is sent as a string.`);
  }
  switch (watermark ?? (isObject ? "idSet" : inferWatermark(wire))) {
    case "date":
      return parseDate(wire);
    case "idSet":
      return parseIdSet(wire);
    default:
      if (Buffer.byteLength(wire) > MAX_TOKEN_BYTES) throw invalid("The cursor is longer than 8 KiB.");
      return { type: "token", wire };
  }
}

/** RFC 3339 → date; a decimal id or `{high}` → idSet; anything else → token. */
export function inferWatermark(wire: string): Exclude<WatermarkType, "none"> {
  if (parseInstant(wire)) return "date";
  if (/^\d+$/.test(wire) || readIdSetObject(wire)) return "idSet";
  return "token";
}

/** Null is behind everything; tokens have no order, so only their equality means anything. */
export function isSamePosition(a: Position | null, b: Position | null): boolean {
  if (a === null || b === null) return a === b;
  if (a.type === "token" || b.type === "token") return a.wire === b.wire;
  return compareOrdered(a, b) === 0;
}

/** @returns < 0 when a is behind b. Both of one ordered type, or null. */
export function comparePositions(a: Position | null, b: Position | null): number {
  if (a === null || b === null) return Number(a !== null) - Number(b !== null);
  return compareOrdered(a, b);
}

function compareOrdered(a: Position, b: Position): number {
  if (a.type === "date" && b.type === "date") return compareInstants(a.instant, b.instant);
  if (a.type === "idSet" && b.type === "idSet") return compareIds(a.high, b.high);
  throw new Error(`cursors of types ${a.type} and ${b.type} have no common order`);
}

/** Leading zeros of decimal ids dropped, then length, then bytes: right for numbers of any size. */
export function compareIds(a: string, b: string): number {
  const left = Buffer.from(dropZeros(a));
  const right = Buffer.from(dropZeros(b));
  return left.length - right.length || left.compare(right);
}

function dropZeros(id: string): string {
  return /^\d+$/.test(id) ? id.replace(/^0+(?=\d)/, "") : id;
}

/** A position ahead of `limit` becomes `limit`, so that a future-dated item cannot poison the feed. */
export function clampToLimit(position: Position, limit: Date): { position: Position; clamped: boolean } {
  if (position.type !== "date") return { position, clamped: false };
  const instant = instantFromDate(limit);
  if (compareInstants(position.instant, instant) <= 0) return { position, clamped: false };
  return { position: { type: "date", wire: limit.toISOString(), instant }, clamped: true };
}

/**
 * Two idSets of equal high: the newcomer's recent ids first, then the stored ones, 500 kept, fewer when
 * they are so long that the result could not be read as a cursor any more.
 */
export function mergeIdSets(stored: Position, incoming: Position): string {
  if (stored.type !== "idSet" || incoming.type !== "idSet") return stored.wire;
  const recent = [...new Set([...incoming.recent, ...stored.recent])].slice(0, MAX_RECENT);
  const addsNothing =
    recent.length === stored.recent.length && recent.every((id, i) => id === stored.recent[i]);
  if (addsNothing) return stored.wire;
  let wire = JSON.stringify({ high: stored.high, recent });
  while (Buffer.byteLength(wire) > MAX_ID_SET_BYTES) {
    if (recent.pop() === undefined) return stored.wire;
    wire = JSON.stringify({ high: stored.high, recent });
  }
  return wire;
}

/** What an adapter sees of the stored cursor. */
export function toAdapterCursor(watermark: WatermarkType | null, stored: string | null): Cursor {
  const position = parsePosition(stored, watermark);
  if (!position) return { type: "none" };
  if (position.type === "idSet") return { type: "idSet", high: position.high, recent: position.recent };
  return { type: position.type, value: position.wire };
}

/** An adapter's cursor as it goes on the wire; null for none. */
export function serializeCursor(cursor: Cursor): string | null {
  switch (cursor.type) {
    case "none":
      return null;
    case "idSet":
      return cursor.recent.length === 0
        ? cursor.high
        : JSON.stringify({ high: cursor.high, recent: cursor.recent });
    default:
      return cursor.value;
  }
}

function toWire(raw: unknown): string {
  if (typeof raw === "string") return raw;
  if (typeof raw === "object" && !Array.isArray(raw)) {
    try {
      return JSON.stringify(raw);
    } catch {
      // Parsing takes JSON of any depth, writing it does not.
      throw invalid("The cursor is nested too deep.");
    }
  }
  throw invalid("A cursor is a string, or an object {high, recent} for an idSet feed.");
}

function parseDate(wire: string): Position {
  const instant = parseInstant(wire);
  if (!instant || instantToIso(instant) === null) {
    throw invalid(`This feed's cursor is a date: an RFC 3339 timestamp such as 2026-06-14T09:00:00Z.`);
  }
  return { type: "date", wire, instant };
}

function parseIdSet(wire: string): Position {
  if (Buffer.byteLength(wire) > MAX_ID_SET_BYTES) throw invalid("The cursor is longer than 64 KiB.");
  if (!wire.trimStart().startsWith("{")) {
    if (Buffer.byteLength(wire) > MAX_TOKEN_BYTES) throw invalid("The id is longer than 8 KiB.");
    return { type: "idSet", wire, high: wire, recent: [] };
  }
  const object = readIdSetObject(wire);
  if (!object) {
    throw invalid(
      `This feed's cursor is an id, or {"high": "<id>", "recent": ["<id>", …]} with at most ${MAX_RECENT} ids.`,
    );
  }
  return { type: "idSet", wire, ...object };
}

function readIdSetObject(wire: string): { high: string; recent: string[] } | null {
  if (!wire.trimStart().startsWith("{")) return null;
  let value: unknown;
  try {
    value = JSON.parse(wire);
  } catch {
    return null;
  }
  if (typeof value !== "object" || value === null) return null;
  const { high, recent = [] } = value as { high?: unknown; recent?: unknown };
  if (!isId(high) || !Array.isArray(recent) || recent.length > MAX_RECENT || !recent.every(isId)) return null;
  return { high, recent };
}

// Escapes in JSON can hide what the raw text check above looks for.
function isId(value: unknown): value is string {
  return typeof value === "string" && value.isWellFormed() && !value.includes("\0");
}

function invalid(message: string): AppError {
  return new AppError("cursor_invalid", message);
}
