import { formerExternalKeys, splitSecretUrl } from "@/server/vault/feed-url";

/**
 * What tells whether two keys are the same feed to someone who only looks: addresses without their scheme
 * and their last slash, since sites change both without changing the feed. Identity proper is the key as
 * it is; this is for not adding by itself what is there, or was refused, under another spelling.
 */
export function foldFeedKey(key: string, isUrl: boolean): string {
  if (!isUrl || !URL.canParse(key)) return key;
  const { host, pathname, search, hash } = new URL(key);
  return `${host}${pathname.replace(/\/+$/, "")}${search}${hash}`;
}

/** How a feed may be spelled here already: as it is stored, and as former secrets would have stored it. */
export function foldOffered(key: string, isUrl: boolean): string[] {
  if (!isUrl) return [key];
  return [splitSecretUrl(key).externalKey, ...formerExternalKeys(key)].map((stored) =>
    foldFeedKey(stored, isUrl),
  );
}
