import { getAdapter } from "@/adapters/registry";
import type { DiscoveredFeed } from "@/sdk/adapter";
import type { Caller } from "@/server/actor";
import type { Source, Tx } from "@/server/db";
import { ensureFeeds } from "@/server/feeds/ensure-feeds";
import { foldFeedKey, foldOffered } from "@/server/feeds/fold-feed-key";
import { readRefusals } from "@/server/feeds/refused-feeds";
import { ensureFeedInput } from "@/server/feeds/schema";
import { originsOf } from "./look-address";
import type { LookResult } from "./look-shape";

/** More in one go is a site gone wild, or one that means harm; the others wait for the next look. */
export const MAX_ADDED = 20;
/** A source with so many feeds gets no more by itself. */
export const MAX_FEEDS = 500;
/** So much of an answer is looked at. */
const MAX_OFFERED = 1_000;
const MAX_NAME = 300;

type Offered = { key: string; name: string; folded: string[] };

/**
 * Adds what the upstream offers and the source lacks, except what a person left out, deleted or moved.
 * What is here and no longer offered stays as it is: absence is not deletion.
 *
 * Runs in the caller's transaction, which holds the source's row.
 */
export async function addFoundFeeds(
  tx: Tx,
  caller: Caller,
  source: Pick<Source, "id" | "type" | "runsOn" | "credentialId" | "lookAddress">,
  found: readonly DiscoveredFeed[],
): Promise<LookResult> {
  const { workspaceId } = caller;
  const isUrl = getAdapter(source.type)?.externalKeyIsUrl ?? false;
  const result: LookResult = { added: [], known: 0, refused: 0, elsewhere: 0, waiting: 0, unusable: 0 };
  const offered = readOffered(found, isUrl, result);

  // Feeds before refusals: one that a person deletes meanwhile is seen as one of the two, never as neither.
  const feeds = await tx.feed.findMany({
    where: { workspaceId, sourceId: source.id, state: { not: "deleting" } },
    select: { externalKey: true, redirectTo: true },
  });
  const keys = feeds.flatMap(({ externalKey, redirectTo }) =>
    redirectTo === null ? [externalKey] : [externalKey, redirectTo],
  );
  const known = new Set(keys.map((key) => foldFeedKey(key, isUrl)));
  const refused = await readRefusals(
    tx,
    { workspaceId, sourceId: source.id },
    offered.flatMap(({ folded }) => folded),
  );
  const isTrusted = trustedSites(
    source,
    isUrl,
    feeds.map(({ externalKey }) => externalKey),
  );

  const room = Math.min(MAX_ADDED, Math.max(0, MAX_FEEDS - feeds.length));
  const wanted: Offered[] = [];
  for (const feed of offered) {
    if (feed.folded.some((key) => known.has(key))) result.known += 1;
    else if (feed.folded.some((key) => refused.has(key))) result.refused += 1;
    else if (!isTrusted(feed.key)) result.elsewhere += 1;
    else if (wanted.length === room) result.waiting += 1;
    else {
      wanted.push(feed);
      // The same feed twice in an answer, spelled differently, is one.
      for (const key of feed.folded) known.add(key);
    }
  }
  const ensured = await ensureFeeds(
    tx,
    caller,
    source,
    wanted.map(({ key }) => ({ externalKey: key })),
  );
  for (const [index, { id, created }] of ensured.entries()) {
    if (created) result.added.push({ feedId: id, name: wanted[index]?.name ?? "" });
    else result.known += 1;
  }
  return result;
}

function readOffered(found: readonly DiscoveredFeed[], isUrl: boolean, result: LookResult): Offered[] {
  const offered: Offered[] = [];
  for (const { externalKey, movedFrom, name } of found.slice(0, MAX_OFFERED)) {
    const parsed = ensureFeedInput.safeParse({ externalKey });
    if (!parsed.success || (isUrl && !/^https?:$/.test(protocolOf(externalKey)))) {
      result.unusable += 1;
      continue;
    }
    const spellings = movedFrom === undefined ? [externalKey] : [externalKey, movedFrom];
    offered.push({
      key: externalKey,
      name: name.replaceAll("\0", "").toWellFormed().slice(0, MAX_NAME).toWellFormed(),
      folded: spellings.flatMap((key) => foldOffered(key, isUrl)),
    });
  }
  result.waiting += Math.max(0, found.length - MAX_OFFERED);
  return offered;
}

function protocolOf(url: string): string {
  return URL.canParse(url) ? new URL(url).protocol : "";
}

/**
 * A source's credentials go to the site of each of its feeds. People decide that for the feeds they choose;
 * a page must not, by announcing a feed of another site, nor a feed by redirecting there.
 *
 * @param keys of the source's feeds; not where they redirect to.
 */
function trustedSites(
  { credentialId, lookAddress }: Pick<Source, "credentialId" | "lookAddress">,
  isUrl: boolean,
  keys: readonly string[],
): (key: string) => boolean {
  if (!isUrl || credentialId === null) return () => true;
  const origins = new Set([...originsOf(lookAddress ?? ""), ...keys.flatMap(originsOf)]);
  return (key) => origins.has(new URL(key).origin);
}
