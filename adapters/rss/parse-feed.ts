import { decodeText } from "./decode-text";
import { elementsOf, htmlToLine } from "./markup";
import { parseAtom } from "./parse-atom";
import { parseJsonFeed } from "./parse-json-feed";
import { parseRss } from "./parse-rss";
import { FeedUnreadable, type ParsedFeed } from "./parsed-feed";
import { toBase } from "./urls";
import { parseXml, type XmlDocument, type XmlElement, XmlRefused } from "./xml-tree";

/** Feeds are windows; the longest podcast archives hold some thousands. */
const MAX_ITEMS = 10_000;

/**
 * Bytes → feed. What it is decides the content; the Content-Type only helps with the encoding.
 *
 * @param documentUrl The address that finally answered; relative addresses start there.
 * @throws FeedUnreadable `not_a_feed` (HTML, other XML, other JSON, nothing), `malformed`.
 */
export function parseFeed(
  bytes: Uint8Array,
  contentType: string | undefined,
  documentUrl: string,
): ParsedFeed {
  const feed = readFeed(bytes, contentType, toBase(documentUrl));
  if (feed.items.length <= MAX_ITEMS) return feed;
  const message = `The feed has ${feed.items.length} entries at once; the first ${MAX_ITEMS} were read.`;
  return {
    ...feed,
    items: feed.items.slice(0, MAX_ITEMS),
    warnings: [...feed.warnings, { code: "too_many_items", message }],
  };
}

function readFeed(bytes: Uint8Array, contentType: string | undefined, documentUrl: string): ParsedFeed {
  const { text } = decodeText(bytes, contentType);
  const trimmed = text.replace(/^[\s\uFEFF\0]+/, "");
  if (trimmed === "") throw new FeedUnreadable("not_a_feed", "is empty.");
  if (trimmed.startsWith("{") || trimmed.startsWith("[")) return parseJsonFeed(trimmed, documentUrl);
  // PHP warnings and the like before the first tag.
  const start = trimmed.indexOf("<");
  if (start < 0) throw new FeedUnreadable("not_a_feed", "is plain text, not a feed.");
  const xml = trimmed.slice(start);
  if (isHtml(xml)) throw webPage(xml);
  return parseXmlFeed(xml, documentUrl);
}

function parseXmlFeed(xml: string, documentUrl: string): ParsedFeed {
  const document = readXml(xml);
  const { root } = document;
  const parsed = root && readRoot(root, documentUrl);
  if (!root || !parsed) throw notAFeed(root, xml);
  const { itemElements, ...feed } = parsed;
  // An item cut off by the end of the text would overwrite its whole version with half of one.
  const items = feed.items.filter((_, i) => !isUnfinished(itemElements[i], document));
  return {
    ...feed,
    items,
    warnings: document.closed
      ? []
      : [{ code: "truncated", message: "The feed ends in the middle; what could be read was kept." }],
    whole: document.closed,
  };
}

function readXml(xml: string): XmlDocument {
  try {
    return parseXml(xml);
  } catch (error) {
    if (error instanceof XmlRefused) {
      throw new FeedUnreadable("malformed", `was refused: ${error.message}.`, { cause: error });
    }
    throw error;
  }
}

function readRoot(root: XmlElement, documentUrl: string) {
  // In whatever namespace, if any: nothing else has entries in a feed.
  const isAtom = root.vocabulary === "atom" || elementsOf(root).some((el) => el.name === "entry");
  if (root.name === "feed" && (isAtom || root.vocabulary === "core")) return parseAtom(root, documentUrl);
  if (root.name === "rss") return parseRss(root, "rss", documentUrl);
  if (root.name === "rdf") {
    const isRss = elementsOf(root).some(
      (el) => el.vocabulary === "core" && /^(?:channel|item)$/.test(el.name),
    );
    return isRss ? parseRss(root, "rdf", documentUrl) : null;
  }
  // RSS 1.1, and 0.9x whose root got lost.
  if (root.name === "channel" && root.vocabulary === "core") {
    return parseRss({ ...root, name: "rss", children: [root] }, "rss", documentUrl);
  }
  return null;
}

function isUnfinished(element: XmlElement | undefined, document: XmlDocument): boolean {
  return element !== undefined && document.unfinished.has(element);
}

function isHtml(xml: string): boolean {
  const head = xml.slice(0, 4096).replace(/<!--[\s\S]*?-->|<\?[\s\S]*?\?>/g, "");
  return /^\s*(?:<!doctype\s+html\b|<html\b|<head\b|<body\b)/i.test(head);
}

function webPage(html: string): FeedUnreadable {
  const title = htmlToLine(
    /<title[^>]{0,200}>([\s\S]{0,1000}?)<\/title>/i.exec(html.slice(0, 65_536))?.[1] ?? "",
  ).slice(0, 120);
  return new FeedUnreadable(
    "not_a_feed",
    `is a web page${title ? ` titled “${title}”` : ""}, not a feed. If it is a sign-in page, the feed needs a password or another address.`,
  );
}

function notAFeed(root: XmlElement | null, xml: string): FeedUnreadable {
  if (!root) return new FeedUnreadable("not_a_feed", "holds no feed.");
  if (root.name === "html" || /<html\b/i.test(xml.slice(0, 4096))) return webPage(xml);
  const known: Record<string, string> = {
    opml: "is an OPML list of feeds. Add the feeds in it one by one.",
    urlset: "is a sitemap, not a feed.",
    sitemapindex: "is a sitemap, not a feed.",
  };
  return new FeedUnreadable(
    "not_a_feed",
    known[root.name] ?? `is XML (<${root.rawName.slice(0, 40)}>), but not a feed.`,
  );
}
