import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Seals with AES-256-GCM under a fresh random nonce.
 *
 * @param context Authenticated with it but not stored: a sealed value opens only in the place it was made for.
 * @returns nonce, ciphertext and tag, in this order.
 */
export function seal(key: Buffer, plaintext: string, context: string): Uint8Array<ArrayBuffer> {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv("aes-256-gcm", key, nonce);
  cipher.setAAD(Buffer.from(context));
  return new Uint8Array(
    Buffer.concat([nonce, cipher.update(plaintext, "utf8"), cipher.final(), cipher.getAuthTag()]),
  );
}

/** @returns null when anything does not fit: key, context or a single bit. */
export function unseal(key: Buffer, sealed: Uint8Array, context: string): string | null {
  if (sealed.length < NONCE_BYTES + TAG_BYTES) return null;
  const nonce = sealed.subarray(0, NONCE_BYTES);
  const decipher = createDecipheriv("aes-256-gcm", key, nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(context));
  decipher.setAuthTag(sealed.subarray(sealed.length - TAG_BYTES));
  try {
    const head = decipher.update(sealed.subarray(NONCE_BYTES, sealed.length - TAG_BYTES));
    return Buffer.concat([head, decipher.final()]).toString("utf8");
  } catch {
    return null;
  }
}
