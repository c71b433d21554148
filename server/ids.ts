import { createHash } from "node:crypto";
import { TypeID, typeidUnboxed } from "typeid-js";

/** Prefixes of the ids people see. */
export type IdPrefix =
  | "src"
  | "feed"
  | "doc"
  | "run"
  | "tok"
  | "usr"
  | "crd"
  | "ctr"
  | "rej"
  | "hold"
  | "aud"
  | "inv"
  | "whk"
  | "dlv";

/** A fresh TypeID. UUIDv7 inside, so ids of one kind sort by the time they were made. */
export function newId(prefix: IdPrefix): string {
  return typeidUnboxed(prefix);
}

/** Below every id that newId made at `time` or later, above those it made before: a bound for an index. */
export function firstIdAt(prefix: IdPrefix, time: Date): string {
  const bytes = Buffer.alloc(16);
  bytes.writeUIntBE(Math.max(0, time.getTime()), 0, 6); // UUIDv7 begins with 48 bits of milliseconds
  return TypeID.fromUUIDBytes(prefix, bytes).toString();
}

export function sha256(value: string | Uint8Array): Buffer {
  return createHash("sha256").update(value).digest();
}

/** Does `value` look like an id of this kind? What does not exists nowhere, and needs no query. */
export function isId(prefix: IdPrefix, value: string): boolean {
  return (
    value.length === prefix.length + 27 &&
    value.startsWith(`${prefix}_`) &&
    /^[0-9a-z]+$/.test(value.slice(-26))
  );
}
