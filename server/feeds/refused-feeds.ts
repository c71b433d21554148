import { getAdapter } from "@/adapters/registry";
import type { Tx } from "@/server/db";
import { sha256 } from "@/server/ids";
import { splitSecretUrl } from "@/server/vault/feed-url";
import { foldFeedKey } from "./fold-feed-key";

/** Why a feed is not added by itself: a person left it out, deleted it, or gave it another address. */
export type RefusalReason = "not_chosen" | "deleted" | "moved";

type Of = { workspaceId: number; sourceId: string; type: string };

/**
 * Remembers that these feeds are not to be added to their source by themselves, in the transaction that
 * left them out. Secrets in addresses are masked before.
 */
export async function refuseFeeds(tx: Tx, source: Of, keys: readonly string[], reason: RefusalReason) {
  const isUrl = keysAreUrls(source.type);
  const { workspaceId, sourceId } = source;
  const data = keys.map((key) => {
    const externalKey = isUrl ? splitSecretUrl(key).externalKey : key;
    return { workspaceId, sourceId, externalKey, reason, keyHash: hashOf(foldFeedKey(externalKey, isUrl)) };
  });
  if (data.length > 0) await tx.refusedFeed.createMany({ data, skipDuplicates: true });
}

/** The same for a feed that is here, as it is stored. */
export async function refuseFeed(tx: Tx, workspaceId: number, feedId: string, reason: RefusalReason) {
  const feed = await tx.feed.findUnique({
    where: { workspaceId_id: { workspaceId, id: feedId } },
    select: { sourceId: true, externalKey: true, source: { select: { type: true } } },
  });
  if (!feed) return;
  const source = { workspaceId, sourceId: feed.sourceId, type: feed.source.type };
  await refuseFeeds(tx, source, [feed.externalKey], reason);
}

/** Who adds a feed by hand wants it: what refused it before is forgotten. */
export async function forgetRefusals(tx: Tx, source: Of, keys: readonly string[]): Promise<void> {
  if (keys.length === 0) return;
  const isUrl = keysAreUrls(source.type);
  const { workspaceId, sourceId } = source;
  const hashes = keys.map((key) => hashOf(foldFeedKey(key, isUrl)));
  await tx.refusedFeed.deleteMany({ where: { workspaceId, sourceId, keyHash: { in: hashes } } });
}

/** Which of these folded keys were refused. One query. */
export async function readRefusals(
  tx: Tx,
  { workspaceId, sourceId }: Omit<Of, "type">,
  foldedKeys: readonly string[],
): Promise<ReadonlySet<string>> {
  const byHash = new Map(foldedKeys.map((key) => [toHex(hashOf(key)), key]));
  const rows = await tx.refusedFeed.findMany({
    where: { workspaceId, sourceId, keyHash: { in: foldedKeys.map(hashOf) } },
    select: { keyHash: true },
  });
  return new Set(rows.flatMap(({ keyHash }) => byHash.get(toHex(keyHash)) ?? []));
}

function keysAreUrls(type: string): boolean {
  return getAdapter(type)?.externalKeyIsUrl ?? false;
}

function toHex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("hex");
}

function hashOf(folded: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(sha256(folded));
}
