import { randomInt } from "node:crypto";
import { hash, verify } from "@node-rs/argon2";

// OWASP's first choice for argon2id: 19 MiB, 2 passes, 1 lane. `algorithm` stays away: id is the
// default, and the package's enum is a `const enum`, which isolated modules cannot read.
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** @returns A PHC string that carries salt and cost. */
export function hashPassword(password: string): Promise<string> {
  return hash(fold(password), COST);
}

/**
 * Takes as long when there is nothing to compare with (no such account, no password set): the time
 * must not say whether an account exists.
 */
export async function verifyPassword(stored: string | null, password: string): Promise<boolean> {
  const isRight = await verify(stored ?? (await decoy()), fold(password));
  return stored !== null && isRight;
}

let decoyHash: Promise<string> | undefined;

/** A hash that costs as much as the real ones; nobody knows what it is of. */
function decoy(): Promise<string> {
  decoyHash ??= hashPassword(generatePassword());
  return decoyHash;
}

// Without what is mistaken for something else: 0 O o, 1 l I.
const ALPHABET = "abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789";

/** 20 characters, 115 bits. */
export function generatePassword(): string {
  return Array.from({ length: 20 }, () => ALPHABET[randomInt(ALPHABET.length)]).join("");
}

/** One password typed on two keyboards may differ in bytes (é as one code point or two). */
function fold(password: string): string {
  return password.normalize("NFKC");
}
