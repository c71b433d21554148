import type { AdapterDocument, Cursor } from "../adapter.ts";
import { assert, byteLength, isSame } from "./assertions.ts";

const MAX_ID_BYTES = 8192;

export function checkDocument(document: AdapterDocument): void {
  const { id, date, version } = document;
  assert(id !== "", "A document without an id.");
  assert(byteLength(id) <= MAX_ID_BYTES, `An id is longer than ${MAX_ID_BYTES} bytes.`, id.slice(0, 100));
  if (date !== undefined) assert(!Number.isNaN(Date.parse(date)), "A date is not RFC 3339.", date);
  if (version !== undefined) {
    const isVersion = /^\d{1,38}$/.test(version) || !Number.isNaN(Date.parse(version));
    assert(
      isVersion,
      "A version is neither a decimal nor RFC 3339; opaque ones go into `revision`.",
      version,
    );
  }
  assert(isSame(JSON.parse(JSON.stringify(document)), document), "A document does not survive JSON.", id);
}

export function checkNotBeyond(cursor: Cursor, delivered: AdapterDocument[]): void {
  if (cursor.type === "date") {
    const dates = delivered.map(({ date }) => Date.parse(date ?? "")).filter(Number.isFinite);
    const isReached = Date.parse(cursor.value) <= Math.max(...dates);
    assert(isReached, "A cursor is beyond the newest document that was delivered with or before it.", cursor);
  }
  if (cursor.type === "idSet") {
    const ids = new Set(delivered.map(({ id }) => id));
    const unknown = cursor.recent.find((id) => !ids.has(id));
    assert(unknown === undefined, "A cursor's `recent` names what was not delivered.", unknown);
  }
}

/** Is the first behind the second, or not even of its type? */
export function isBehind(cursor: Cursor, before: Cursor): boolean {
  if (cursor.type === "date" && before.type === "date")
    return Date.parse(cursor.value) < Date.parse(before.value);
  if (cursor.type === "idSet" && before.type === "idSet") return compareIds(cursor.high, before.high) < 0;
  return cursor.type !== before.type;
}

function compareIds(a: string, b: string): number {
  const [left = "", right = ""] = [a, b].map((id) => (/^\d+$/.test(id) ? id.replace(/^0+(?=\d)/, "") : id));
  return left.length - right.length || (left < right ? -1 : left > right ? 1 : 0);
}
