import { hkdfSync } from "node:crypto";
import { env } from "@/server/env";

/** What a derived key is for. Each purpose has its own, so that none can stand in for another. */
export type KeyPurpose =
  | "vault"
  | "vault-id"
  | "feed-url"
  | "session"
  | "setup-code"
  | "change-cursor"
  | "change-cursor-id";

/** A sealing key and the number that names it in `credentials.key_version`. */
export type SealingKey = { version: number; key: Buffer };

/** Derives 32 bytes from a secret by HKDF-SHA-256. */
export function deriveKey(secret: string, purpose: KeyPurpose): Buffer {
  return Buffer.from(hkdfSync("sha256", secret, "tidemark", `tidemark/${purpose}/1`, 32));
}

/**
 * The keys of this installation: the first seals, all of them open. The version is a fingerprint of
 * the secret and not a counter: after a restore beside another secret, "sealed with a key I do not
 * have" must not look like "tampered with", and no counter has to be kept anywhere.
 */
export function keyRing(): [SealingKey, ...SealingKey[]] {
  const { TIDEMARK_SECRET, TIDEMARK_SECRET_PREVIOUS } = env();
  const previous = TIDEMARK_SECRET_PREVIOUS.map(toSealingKey);
  return [toSealingKey(TIDEMARK_SECRET), ...previous];
}

const cache = new Map<string, SealingKey>();

function toSealingKey(secret: string): SealingKey {
  let found = cache.get(secret);
  if (!found) {
    // 31 bits: a positive Postgres integer.
    const version = deriveKey(secret, "vault-id").readUInt32BE(0) >>> 1;
    found = { version, key: deriveKey(secret, "vault") };
    cache.set(secret, found);
  }
  return found;
}
