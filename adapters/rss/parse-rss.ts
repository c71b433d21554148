import { parseDate } from "../parse-date";
import { resolveHtmlLinks } from "./html-links";
import { elementsOf, innerHtml, rssTitle, textOf, toLine } from "./markup";
import { mediaContents, mediaDescription, mediaElements, readEnclosures, readImage } from "./media";
import type { Vocabulary } from "./namespaces";
import { deletedIdsOf, olderPageOf } from "./paging";
import type { ParsedFeed, ParsedItem } from "./parsed-feed";
import { readDocumentHints } from "./polling-hints";
import { isAbsoluteHttp, joinUrls, toHttpUrl } from "./urls";
import type { XmlElement } from "./xml-tree";

/** Finds children of one element by vocabulary and name; the first is enough for most fields. */
type Find = (vocabulary: Vocabulary, name: string) => XmlElement | undefined;

/** RSS 0.9x, 2.0 and RDF: one `channel`, items inside it (2.0) or beside it (1.0), or both. */
export function parseRss(
  root: XmlElement,
  format: "rss" | "rdf",
  documentUrl: string,
): Omit<ParsedFeed, "warnings" | "whole"> & { itemElements: XmlElement[] } {
  // A default namespace nobody knows still means RSS when the root says rss.
  const isCore = (el: XmlElement) => el.vocabulary === "core" || el.vocabulary === root.vocabulary;
  const top = elementsOf(root);
  const channel = top.find((el) => isCore(el) && el.name === "channel");
  const inside = channel ? elementsOf(channel) : [];
  const itemElements = [...inside, ...top]
    .flatMap((el) => (isCore(el) && el.name === "items" ? [el, ...elementsOf(el)] : [el]))
    .filter((el) => el.name === "item" && isCore(el));

  const find = finder(inside, isCore);
  const channelBase = joinUrls(channel?.base, documentUrl);
  const siteUrl = toHttpUrl(linkOf(inside, find), channelBase);
  const titleElement = find("core", "title") ?? find("dc", "title");
  return {
    format,
    ...(titleElement ? { title: rssTitle(titleElement, documentUrl) } : {}),
    ...(siteUrl ? { siteUrl } : {}),
    items: itemElements.map((el) => readItem(el, isCore, joinUrls(siteUrl, documentUrl), documentUrl)),
    deletedIds: deletedIdsOf(inside),
    hints: readDocumentHints(inside),
    ...olderPageOf(inside, channelBase),
    itemElements,
  };
}

function readItem(
  element: XmlElement,
  isCore: (el: XmlElement) => boolean,
  siteBase: string,
  documentUrl: string,
): ParsedItem {
  const children = elementsOf(element);
  const find = finder(children, isCore);
  const text = (vocabulary: Vocabulary, name: string) => textIn(find(vocabulary, name));

  const guid = find("core", "guid");
  const id = textIn(guid) ?? text("atom", "id") ?? element.attributes.about?.trim();
  const permalink = guid?.attributes.ispermalink?.trim().toLowerCase() !== "false";
  const published = linkOf(children, find);
  const asLink = published ?? (permalink && id && isAbsoluteHttp(id) ? id : undefined);
  const base = joinUrls(element.base, siteBase);
  const link = toHttpUrl(asLink, base);

  const title = find("core", "title") ?? find("dc", "title") ?? find("media", "title");
  const media = mediaElements(children);
  const { body, raw, summary } = readBody(find, media, joinUrls(link, siteBase), documentUrl);
  const dates = readDates(text);
  const image = readImage(children, media, base);
  const enclosures = readEnclosures(
    [
      ...children
        .filter((el) => el.name === "enclosure")
        .map(({ attributes: a }) => ({ ...a, url: a.url ?? a.href })),
      ...mediaContents(media),
    ],
    base,
  );
  return {
    ...(id ? { id } : {}),
    ...(published && isAbsoluteHttp(published) ? { rawLink: published } : {}),
    ...(link ? { link } : {}),
    ...(title ? { title: rssTitle(title, documentUrl) } : {}),
    ...(body ? { body } : {}),
    ...(summary ? { summary } : {}),
    ...authorOf(children, find),
    ...(dates.published ? { published: dates.published } : {}),
    ...(dates.updated ? { updated: dates.updated } : {}),
    categories: categoriesOf(children, isCore),
    enclosures,
    ...(image ? { image } : {}),
    fingerprint: JSON.stringify([title ? textOf(title) : "", dates.raw, raw]),
  };
}

function finder(children: XmlElement[], isCore: (el: XmlElement) => boolean): Find {
  return (vocabulary, name) => {
    const matches = children.filter(
      (el) => el.name === name && (vocabulary === "core" ? isCore(el) : el.vocabulary === vocabulary),
    );
    // An empty element says nothing; a later one may.
    return matches.find((el) => el.children.length > 0) ?? matches[0];
  };
}

function textIn(element: XmlElement | undefined): string | undefined {
  return element ? textOf(element).trim() || undefined : undefined;
}

/** `link`, which some write as `<link href>`; else `atom:link` without rel or with rel=alternate. */
function linkOf(children: XmlElement[], find: Find): string | undefined {
  const core = find("core", "link");
  const alternate = children.find(
    (el) =>
      el.vocabulary === "atom" && el.name === "link" && /^(?:alternate)?$/i.test(el.attributes.rel ?? ""),
  );
  return (
    textIn(core) ??
    (core?.attributes.href?.trim() || undefined) ??
    (alternate?.attributes.href?.trim() || undefined)
  );
}

/** `content:encoded`, else xhtml, else `description`; the description is the summary of a fuller body. */
function readBody(
  find: Find,
  media: XmlElement[],
  linkBase: string,
  documentUrl: string,
): { body?: ParsedItem["body"]; raw: string; summary?: string } {
  const html = (el: XmlElement | undefined) =>
    el ? innerHtml(el, documentUrl).trim() || undefined : undefined;
  const fullElement =
    [find("content", "encoded"), find("xhtml", "body"), find("xhtml", "div")].find((el) => html(el)) ??
    undefined;
  const shortElement = [
    find("core", "description"),
    find("atom", "content"),
    find("atom", "summary"),
    find("dc", "description"),
    find("itunes", "summary"),
  ].find((el) => html(el));
  const element = fullElement ?? shortElement;
  const raw = html(element);
  if (!element || raw === undefined) {
    const text = mediaDescription(media);
    return text ? { body: { text, format: "text" }, raw: text } : { raw: "" };
  }
  const text = resolveHtmlLinks(raw, joinUrls(element.base, linkBase));
  const summary = fullElement && shortElement ? html(shortElement) : undefined;
  return { body: { text, format: "html" }, raw, ...(summary && summary !== raw ? { summary } : {}) };
}

function readDates(text: (vocabulary: Vocabulary, name: string) => string | undefined) {
  const publishedTexts = [
    text("core", "pubdate"),
    text("dc", "date"),
    text("atom", "published"),
    text("dcterms", "issued"),
    text("dcterms", "created"),
    text("core", "date"),
  ];
  const updatedTexts = [text("atom", "updated"), text("dcterms", "modified")];
  return {
    published: firstDate(publishedTexts),
    updated: firstDate(updatedTexts),
    raw: publishedTexts.find((t) => t) ?? "",
  };
}

/** The first that can be read: a broken pubDate does not hide a good dc:date. */
export function firstDate(texts: (string | undefined)[]): Date | undefined {
  for (const text of texts) {
    const date = text ? parseDate(text) : null;
    if (date) return date;
  }
  return undefined;
}

function authorOf(children: XmlElement[], find: Find): { author?: string } {
  const creators = children
    .filter((el) => el.vocabulary === "dc" && el.name === "creator")
    .map((el) => toLine(textOf(el)))
    .filter((name) => name !== "");
  const element = find("core", "author");
  const nested = element && elementsOf(element).find((el) => el.name === "name");
  const atom = find("atom", "author");
  const atomName = atom && elementsOf(atom).find((el) => el.name === "name");
  const written = textIn(nested) ?? textIn(element);
  const named = written ? personName(written) : undefined;
  const author =
    (named && !named.includes("@") ? named : undefined) ??
    (creators.length > 0 ? creators.join(", ") : undefined) ??
    named ??
    textIn(atomName) ??
    textIn(find("itunes", "author"));
  return author ? { author: toLine(author) } : {};
}

/** "jo@example.com (Jo Smith)" and "Jo Smith <jo@example.com>" are Jo Smith. */
function personName(text: string): string {
  if (text.length > 500) return text; // no name, and the patterns below are not linear
  const inParentheses = /^\S+@\S+\s+\((.+)\)$/.exec(text)?.[1];
  const beforeAddress = /^(.*\S)\s*<[^<>\s]+@[^<>\s]+>$/.exec(text)?.[1];
  return (inParentheses ?? beforeAddress ?? text).replace(/^"(.*)"$/, "$1").trim();
}

function categoriesOf(children: XmlElement[], isCore: (el: XmlElement) => boolean): string[] {
  const names = children
    .filter(
      (el) => (isCore(el) && el.name === "category") || (el.vocabulary === "dc" && el.name === "subject"),
    )
    .map((el) => toLine(textOf(el)))
    .filter((name) => name !== "");
  return [...new Set(names)];
}
