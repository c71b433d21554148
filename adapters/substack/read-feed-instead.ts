import type { AdapterDocument, GuardedResponse, Page, SyncContext, UpstreamError } from "@/sdk/adapter";
import { throwForStatus } from "../http-status";
import { identifyItems } from "../rss/identify";
import type { ParsedFeed, ParsedItem } from "../rss/parsed-feed";
import { parseResponse } from "../rss/request";
import { toDocument } from "../rss/to-document";
import { nearbyOrigins } from "./addresses";
import { type Api, isMiss } from "./api";
import type { SubstackConfig } from "./config";
import { type Memory, slugMark, slugOf } from "./memory";

/** Longer ones are nobody's, and each would have to be remembered. */
const MAX_ID_LENGTH = 500;

/**
 * Reads the publication's RSS feed because its archive cannot be read: the newest posts only.
 * Posts that came from the archive are left alone, as the feed spells the same post differently.
 * Others come under their own id where the feed tells it, else under the feed's guid until the
 * archive can be read again.
 */
export async function* readFeedInstead(
  ctx: SyncContext<SubstackConfig>,
  { api, memory, home, reason }: { api: Api; memory: Memory; home: string; reason: UpstreamError },
): AsyncGenerator<Page> {
  const { feed } = await findFeed(api, home, ctx.now());
  ctx.log.warn(
    "feed_instead_of_archive",
    `The archive could not be read, so only the newest posts were, from the RSS feed. ${reason.message}`,
  );
  for (const { code, message } of feed.warnings) ctx.log.warn(code, message);

  const documents = new Map<string, AdapterDocument>();
  for (const item of identifyItems(feed.items, []).items) {
    const ownId = ownIdOf(item, memory);
    if (ownId !== undefined && (memory.posts.has(ownId) || memory.mayHaveForgotten(ownId))) continue;
    if (ownId !== undefined) {
      documents.set(ownId, toDocument({ ...item, externalId: ownId, key: ownId }));
      continue;
    }
    if (item.externalId.length > MAX_ID_LENGTH) continue;
    memory.provisional.set(slugMark(slugOf(item.externalId) ?? item.externalId), item.externalId);
    documents.set(item.key, toDocument(item));
  }
  yield {
    documents: [...documents.values()],
    ...cursorOf(feed, ctx),
    state: memory.write(),
    hints: feed.hints,
    ...(feed.title ? { feedTitle: feed.title } : {}),
  };
}

/** The first of the publication's origins that has a feed. */
export async function findFeed(
  api: Api,
  home: string,
  now: Date,
): Promise<{ feed: ParsedFeed; response: GuardedResponse }> {
  let failure: unknown;
  for (const origin of nearbyOrigins(home)) {
    try {
      const response = await api.readFeed(origin);
      throwForStatus(response, now);
      return { feed: parseResponse(response), response };
    } catch (error) {
      if (!isMiss(error)) throw error;
      failure ??= error;
    }
  }
  throw failure;
}

/** Podcasts' guids hold the id; other posts' are their addresses. */
function ownIdOf(item: ParsedItem, memory: Memory): string | undefined {
  const told = /^substack:post:(\d+)$/.exec(item.id ?? "")?.[1];
  if (told) return told;
  const slug = slugOf(item.id ?? "") ?? slugOf(item.link ?? "");
  return slug === null ? undefined : memory.findBySlug(slug);
}

function cursorOf(feed: ParsedFeed, { cursor, now }: SyncContext<SubstackConfig>): Pick<Page, "cursor"> {
  const before = cursor.type === "date" ? Date.parse(cursor.value) : Number.NEGATIVE_INFINITY;
  const dates = feed.items.flatMap((item) => item.published?.getTime() ?? []);
  const newest = Math.max(...dates.map((date) => Math.min(date, now().getTime())));
  return newest > before ? { cursor: { type: "date", value: new Date(newest).toISOString() } } : {};
}
