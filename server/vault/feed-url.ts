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
  const hash = createHmac("sha256", deriveKey(env().TIDEMARK_SECRET, "feed-url"))
    .update(url)
    .digest("base64url")
    .slice(0, HASH_CHARACTERS);
  return { externalKey: `${masked.replace(/#.*$/s, "")}#${hash}`, secretUrl: url };
}
