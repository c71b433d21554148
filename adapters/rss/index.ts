import { type ConnectionCheck, defineAdapter, type SyncContext } from "@/sdk/adapter";
import { maskUrl } from "@/sdk/mask-url";
import { throwForStatus } from "../http-status";
import { type RssConfig, rssConfig } from "./config";
import { discoverFeeds } from "./discover";
import { parseResponse, requestFeed } from "./request";
import { syncRss } from "./sync";

/** RSS 2.0 and 0.9x, RSS 1.0 (RDF), Atom, JSON Feed. */
export const rss = defineAdapter({
  type: "rss",
  name: "Website or feed",
  description: "Follows a site's RSS, Atom or JSON feed: articles, podcasts, releases.",
  category: "Websites",
  watermark: "date",
  auth: ["none", "basic"],
  authHints: { basic: "For sites that ask for a user name and password (HTTP Basic)." },
  config: rssConfig,
  runsOn: ["cloud", "agent"],
  externalKey: "Address of the feed",
  externalKeyIsUrl: true,
  discover: discoverFeeds,
  discoversMany: true,
  checkConnection,
  sync: syncRss,
});

async function checkConnection(ctx: Omit<SyncContext<RssConfig>, "cursor">): Promise<ConnectionCheck> {
  const response = await requestFeed(ctx, ctx.feed.url);
  throwForStatus(response, ctx.now());
  const feed = parseResponse(response);
  const title = feed.title ? `“${feed.title}”` : "The feed";
  const count = feed.items.length === 1 ? "1 entry" : `${feed.items.length} entries`;
  return {
    ok: true,
    message: `${title} can be read: ${count} at the moment.`,
    ...(feed.title ? { feedTitle: feed.title } : {}),
    documents: feed.items.length,
    finalUrl: maskUrl(response.url),
  };
}
