import { toHttpUrl } from "./urls";
import { walkHtml } from "./walk-html";

export type FeedLink = { url: string; title?: string };

const FEED_TYPES = new Set([
  "application/rss+xml",
  "application/atom+xml",
  "application/rdf+xml",
  "application/feed+json",
  "application/json",
  "application/xml",
  "text/xml",
]);

/** Feeds of comments are not what somebody who types a site's address means. */
const COMMENTS = /\bcomments?\b|kommentare|commentaires/i;

/**
 * The feeds a web page announces: `<link rel="alternate" type=…>` in its order, resolved against
 * `<base href>`, each once.
 */
export function findFeedLinks(html: string, pageUrl: string): FeedLink[] {
  let base = pageUrl;
  let hasBase = false;
  const found: { href: string; title: string }[] = [];
  walkHtml(html, {
    onopentag(name, attributes) {
      if (name === "base" && !hasBase && attributes.href) {
        hasBase = true;
        base = toHttpUrl(attributes.href, pageUrl) ?? pageUrl;
      }
      if (name === "link" && isFeedLink(attributes)) {
        found.push({ href: attributes.href ?? "", title: attributes.title?.trim() ?? "" });
      }
    },
  });

  const links = new Map<string, FeedLink>();
  for (const { href, title } of found) {
    const url = toHttpUrl(href, base);
    if (!url || links.has(url) || COMMENTS.test(title) || COMMENTS.test(new URL(url).pathname)) continue;
    links.set(url, { url, ...(title ? { title } : {}) });
  }
  return [...links.values()];
}

function isFeedLink(attributes: Record<string, string>): boolean {
  const rel = (attributes.rel ?? "").toLowerCase().split(/\s+/);
  const type = (attributes.type ?? "").toLowerCase().split(";")[0]?.trim() ?? "";
  // WordPress announces its API as application/json; it answers like any other site without a feed.
  return (
    rel.includes("alternate") && !rel.includes("stylesheet") && FEED_TYPES.has(type) && !!attributes.href
  );
}
