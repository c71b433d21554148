import { hash } from "node:crypto";
import { TypeID } from "typeid-js";

/**
 * A document's id, derived from its feed and its key: identity *is* the primary key.
 *
 * So one index finds, guards and orders a feed's documents, an id is the same after any purge and
 * return, and keys of any length stay apart (122 bits of SHA-256; finding two keys that meet costs
 * 2^61 hashes and would only merge two documents of the attacker's own feed).
 */
export function documentId(feedId: string, key: string): string {
  const bytes = hash("sha256", `${feedId}\0${key}`, "buffer").subarray(0, 16);
  // UUID version 8 ("custom"), variant 10: a TypeID's suffix is a UUID.
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return TypeID.fromUUIDBytes("doc", bytes).toString();
}
