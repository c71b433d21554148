import { resolveHtmlLinks } from "./html-links";
import { toLine } from "./markup";
import { MAX_ENCLOSURES } from "./media";
import { firstDate } from "./parse-rss";
import {
  type Enclosure,
  FeedUnreadable,
  type ParsedFeed,
  type ParsedItem,
  type ParseWarning,
} from "./parsed-feed";
import { type ExactJson, parseExactJson } from "./read-json";
import { isAbsoluteHttp, toHttpUrl } from "./urls";

type JsonObject = { [key: string]: ExactJson };

/**
 * JSON Feed 1.0 and 1.1. Items without an id are left out, as its specification demands.
 *
 * @throws FeedUnreadable `malformed` for invalid JSON, `not_a_feed` for other JSON.
 */
export function parseJsonFeed(text: string, documentUrl: string): ParsedFeed {
  const feed = readJson(text);
  if (!isObject(feed) || !Array.isArray(feed.items) || !looksLikeFeed(feed)) {
    throw new FeedUnreadable("not_a_feed", "is JSON, but not a JSON Feed.");
  }
  const warnings: ParseWarning[] = [];
  const objects = feed.items.filter(isObject);
  const feedAuthor = authorsOf(feed);
  const items = objects
    .filter((item) => idOf(item) !== undefined)
    .map((item) => readItem(item, feedAuthor, documentUrl));
  const without = feed.items.length - items.length;
  if (without > 0) {
    warnings.push({ code: "items_without_id", message: `${without} items have no id and were left out.` });
  }
  const title = string(feed.title);
  const siteUrl = toHttpUrl(string(feed.home_page_url), documentUrl);
  const older = toHttpUrl(string(feed.next_url), documentUrl);
  return {
    format: "json",
    ...(title ? { title: toLine(title) } : {}),
    ...(siteUrl ? { siteUrl } : {}),
    items,
    deletedIds: [],
    // A finished feed will not change again; once a day is enough to see whether that was true.
    hints: feed.expired === true ? { minIntervalSeconds: 24 * 3600 } : {},
    ...(older ? { older } : {}),
    warnings,
    whole: true,
  };
}

function readJson(text: string): ExactJson {
  try {
    return parseExactJson(text);
  } catch (cause) {
    throw new FeedUnreadable("malformed", "is not valid JSON.", { cause });
  }
}

function looksLikeFeed(feed: JsonObject): boolean {
  const version = string(feed.version) ?? "";
  return /jsonfeed\.org\/version\//i.test(version) || (version === "" && string(feed.title) !== undefined);
}

function readItem(item: JsonObject, feedAuthor: string | undefined, documentUrl: string): ParsedItem {
  const link = string(item.url) ?? string(item.external_url);
  const html = string(item.content_html);
  const plain = string(item.content_text);
  const summary = string(item.summary);
  const body: ParsedItem["body"] | undefined = html
    ? { text: resolveHtmlLinks(html, documentUrl), format: "html" }
    : (plain ?? summary)
      ? { text: plain ?? summary ?? "", format: "text" }
      : undefined;
  const published = firstDate([string(item.date_published)]);
  const updated = firstDate([string(item.date_modified)]);
  const author = authorsOf(item) ?? feedAuthor;
  const image = toHttpUrl(string(item.image) ?? string(item.banner_image), documentUrl);
  const title = string(item.title);
  const id = idOf(item);
  const url = toHttpUrl(link, documentUrl);
  return {
    ...(id !== undefined ? { id } : {}),
    ...(link && isAbsoluteHttp(link) ? { rawLink: link } : {}),
    ...(url ? { link: url } : {}),
    ...(title ? { title: toLine(title) } : {}),
    ...(body ? { body } : {}),
    ...(summary && (html || plain) ? { summary } : {}),
    ...(author ? { author } : {}),
    ...(published ? { published } : {}),
    ...(updated ? { updated } : {}),
    categories: list(item.tags).flatMap((tag) => string(tag) ?? []),
    enclosures: attachmentsOf(item, documentUrl),
    ...(image ? { image } : {}),
    fingerprint: "",
  };
}

/** Exactly as published; a number keeps its digits. Blank is none. */
function idOf(item: JsonObject): string | undefined {
  return typeof item.id === "string" && item.id.trim() !== "" ? item.id : undefined;
}

function authorsOf(from: JsonObject): string | undefined {
  const people = [...list(from.authors), from.author ?? null].filter(isObject);
  const names = people.flatMap((person) => string(person.name) ?? string(person.url) ?? []);
  return names.length > 0 ? [...new Set(names)].join(", ") : undefined;
}

function attachmentsOf(item: JsonObject, documentUrl: string): Enclosure[] {
  return list(item.attachments)
    .slice(0, MAX_ENCLOSURES)
    .filter(isObject)
    .flatMap((attachment) => {
      const url = toHttpUrl(string(attachment.url), documentUrl);
      const type = string(attachment.mime_type);
      const bytes = count(attachment.size_in_bytes);
      const seconds = count(attachment.duration_in_seconds);
      return url
        ? [{ url, ...(type ? { type } : {}), ...(bytes ? { bytes } : {}), ...(seconds ? { seconds } : {}) }]
        : [];
    });
}

function count(value: ExactJson | undefined): number | undefined {
  const number = Math.round(Number(string(value) ?? Number.NaN));
  return number > 0 && Number.isSafeInteger(number) ? number : undefined;
}

function string(value: ExactJson | undefined): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value : undefined;
}

function list(value: ExactJson | undefined): ExactJson[] {
  return Array.isArray(value) ? value : [];
}

function isObject(value: ExactJson): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
