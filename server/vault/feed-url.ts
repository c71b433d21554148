import { createHmac } from "node:crypto";
import { maskUrl } from "@/sdk/mask-url";
import { env } from "@/server/env";
import { deriveKey } from "@/server/vault/key-ring";

/** 60 bits: far more than the feeds of one source can collide in. */
const HASH_CHARACTERS = 10;

/**
 * Parts a feed URL into what may be shown and what belongs in the vault.
 *
 * @returns `externalKey`: the URL as given when nothing in it is secret, else the masked URL with a
 *   short hash as its fragment, so that two secrets make two feeds and the same one finds its feed
 *   again. The hash is keyed: without TIDEMARK_SECRET nobody can try guesses against it.
 *   `secretUrl`: the whole URL, for saveCredential, or null.
 */
export function splitSecretUrl(url: string): { externalKey: string; secretUrl: string | null } {
  const masked = maskUrl(url);
  if (masked === url) return { externalKey: url, secretUrl: null };
  return { externalKey: withHash(masked, url, env().TIDEMARK_SECRET), secretUrl: url };
}

/**
 * The keys that splitSecretUrl gave this URL under former secrets: a feed keeps the one it was added
 * with. Empty for a URL without secrets.
 */
export function formerExternalKeys(url: string): string[] {
  const masked = maskUrl(url);
  if (masked === url) return [];
  return env().TIDEMARK_SECRET_PREVIOUS.map((secret) => withHash(masked, url, secret));
}

function withHash(masked: string, url: string, secret: string): string {
  const hash = createHmac("sha256", deriveKey(secret, "feed-url")).update(url).digest("base64url");
  return `${masked.replace(/#.*$/s, "")}#${hash.slice(0, HASH_CHARACTERS)}`;
}
