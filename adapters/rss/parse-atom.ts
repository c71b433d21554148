import { resolveHtmlLinks } from "./html-links";
import { elementsOf, htmlToLine, innerHtml, textOf, toLine } from "./markup";
import { mediaContents, mediaDescription, mediaElements, readEnclosures, readImage } from "./media";
import { deletedIdsOf, olderPageOf } from "./paging";
import { firstDate } from "./parse-rss";
import type { ParsedFeed, ParsedItem } from "./parsed-feed";
import { readDocumentHints } from "./polling-hints";
import { isAbsoluteHttp, joinUrls, toHttpUrl } from "./urls";
import type { XmlElement } from "./xml-tree";

type Children = {
  all: XmlElement[];
  find(...names: string[]): XmlElement | undefined;
  list(name: string): XmlElement[];
};

/** Atom 1.0, and 0.3 where it differs only in names. */
export function parseAtom(
  root: XmlElement,
  documentUrl: string,
): Omit<ParsedFeed, "warnings" | "whole"> & { itemElements: XmlElement[] } {
  // `<feed>` without a namespace is Atom by every other sign.
  const isAtom = (el: XmlElement) => el.vocabulary === "atom" || el.vocabulary === root.vocabulary;
  const feed = childrenOf(root, isAtom);
  const base = joinUrls(root.base, documentUrl);
  const itemElements = feed.list("entry");
  const feedAuthor = authorsOf(feed, isAtom);
  const title = feed.find("title");
  const siteUrl = toHttpUrl(alternateOf(feed)?.attributes.href, base);
  return {
    format: "atom",
    ...(title ? { title: lineOf(title, documentUrl) } : {}),
    ...(siteUrl ? { siteUrl } : {}),
    items: itemElements.map((el) => readEntry(el, isAtom, feedAuthor, documentUrl)),
    deletedIds: deletedIdsOf(feed.all),
    hints: readDocumentHints(feed.all),
    ...olderPageOf(
      feed.all.map((el) => (isAtom(el) ? { ...el, vocabulary: "atom" as const } : el)),
      base,
    ),
    itemElements,
  };
}

function readEntry(
  element: XmlElement,
  isAtom: (el: XmlElement) => boolean,
  feedAuthor: string | undefined,
  documentUrl: string,
): ParsedItem {
  const entry = childrenOf(element, isAtom);
  const base = joinUrls(element.base, documentUrl);
  const id = textIn(entry.find("id"));
  const alternate = alternateOf(entry);
  const content = entry.find("content");
  const address = alternate?.attributes.href ?? content?.attributes.src;
  const addressElement = alternate ?? content;
  const link = toHttpUrl(address, joinUrls(addressElement?.base, documentUrl));

  const media = mediaElements(entry.all);
  const summaryElement = entry.find("summary");
  const full = content && contentOf(content, documentUrl);
  const short = summaryElement && contentOf(summaryElement, documentUrl);
  const described = mediaDescription(media);
  const body = full ?? short ?? (described ? { text: described, format: "text" as const } : undefined);
  const title = entry.find("title");
  const source = entry.find("source");
  const author =
    authorsOf(entry, isAtom) ??
    (source ? authorsOf(childrenOf(source, isAtom), isAtom) : undefined) ??
    feedAuthor;

  const dc = (name: string) => textIn(entry.all.find((el) => el.vocabulary === "dc" && el.name === name));
  const publishedTexts = [
    textIn(entry.find("published")),
    textIn(entry.find("issued")),
    textIn(entry.find("created")),
    dc("date"),
  ];
  const published = firstDate(publishedTexts);
  const updated = firstDate([textIn(entry.find("updated")), textIn(entry.find("modified"))]);
  const image = readImage(entry.all, media, base);
  const enclosures = entry
    .list("link")
    .filter((el) => relOf(el) === "enclosure")
    .map(({ attributes: a }) => ({ url: a.href, type: a.type, length: a.length }));
  return {
    ...(id ? { id } : {}),
    ...(address && isAbsoluteHttp(address.trim()) ? { rawLink: address.trim() } : {}),
    ...(link ? { link } : {}),
    ...(title ? { title: lineOf(title, documentUrl) } : {}),
    ...(body ? { body } : {}),
    ...(full && short && short.text !== full.text ? { summary: short.text } : {}),
    ...(author ? { author } : {}),
    ...(published ? { published } : {}),
    ...(updated ? { updated } : {}),
    categories: categoriesOf(entry),
    enclosures: readEnclosures([...enclosures, ...mediaContents(media)], base),
    ...(image ? { image } : {}),
    fingerprint: JSON.stringify([
      title ? textOf(title) : "",
      publishedTexts.find((t) => t) ?? "",
      content ? textOf(content) : summaryElement ? textOf(summaryElement) : "",
    ]),
  };
}

function childrenOf(element: XmlElement, isAtom: (el: XmlElement) => boolean): Children {
  const all = elementsOf(element);
  const list = (name: string) => all.filter((el) => el.name === name && isAtom(el));
  return {
    all,
    list,
    find(...names) {
      for (const name of names) {
        const matches = list(name);
        const match = matches.find((el) => el.children.length > 0) ?? matches[0];
        if (match) return match;
      }
      return undefined;
    },
  };
}

function textIn(element: XmlElement | undefined): string | undefined {
  return element ? textOf(element).trim() || undefined : undefined;
}

/** The page for people: rel=alternate (a missing rel is that), HTML before other types. */
function alternateOf(children: Children): XmlElement | undefined {
  const links = children.list("link").filter((el) => relOf(el) === "alternate" && el.attributes.href?.trim());
  return links.find((el) => /html|^$/i.test(el.attributes.type ?? "")) ?? links[0];
}

function relOf(link: XmlElement): string {
  const rel = link.attributes.rel?.trim().toLowerCase() || "alternate";
  return rel.replace(/^https?:\/\/www\.iana\.org\/assignments\/relation\//, "");
}

/** How a text construct is written: Atom 1.0's type, or 0.3's mode and media type. */
function kindOf(element: XmlElement): "text" | "html" | "markup" | "base64" | "foreign" {
  const type = (element.attributes.type ?? "text").trim().toLowerCase();
  const mode = element.attributes.mode?.trim().toLowerCase();
  if (mode === "base64") return "base64";
  if (mode === "escaped") return /html/.test(type) ? "html" : "text";
  const hasMarkup = element.children.some((child) => typeof child !== "string");
  if (mode === "xml" || type === "xhtml" || type === "application/xhtml+xml")
    return hasMarkup ? "markup" : "html";
  if (type === "html" || type === "text/html") return hasMarkup ? "markup" : "html";
  if (type === "text" || type === "text/plain" || type.startsWith("text/"))
    return hasMarkup ? "markup" : "text";
  return hasMarkup ? "markup" : "foreign";
}

function contentOf(element: XmlElement, documentUrl: string): ParsedItem["body"] | undefined {
  const kind = kindOf(element);
  const base = joinUrls(element.base, documentUrl);
  if (kind === "foreign") return undefined; // an image or a PDF inside the feed is not text
  if (kind === "text") {
    const text = textOf(element).trim();
    return text ? { text, format: "text" } : undefined;
  }
  const html =
    kind === "base64" ? fromBase64(textOf(element)) : innerHtml(unwrapDiv(element, kind), documentUrl).trim();
  return html ? { text: resolveHtmlLinks(html, base), format: "html" } : undefined;
}

/** xhtml content is wrapped in one `div` that is not part of it. */
function unwrapDiv(element: XmlElement, kind: string): XmlElement {
  if (kind !== "markup") return element;
  const inside = elementsOf(element);
  const onlyDiv = inside.length === 1 && inside[0]?.name === "div" ? inside[0] : undefined;
  const hasText = element.children.some((child) => typeof child === "string" && child.trim() !== "");
  // Its own xml:base stays in force: the element that carries it is still what is serialised.
  return onlyDiv && !hasText ? { ...element, children: onlyDiv.children, base: onlyDiv.base } : element;
}

function fromBase64(text: string): string {
  return Buffer.from(text.replace(/\s/g, ""), "base64").toString("utf8").trim();
}

function lineOf(element: XmlElement, documentUrl: string): string {
  const kind = kindOf(element);
  if (kind === "text") return toLine(textOf(element));
  return htmlToLine(kind === "base64" ? fromBase64(textOf(element)) : innerHtml(element, documentUrl));
}

function authorsOf(children: Children, isAtom: (el: XmlElement) => boolean): string | undefined {
  const names = children.list("author").map((author) => {
    const person = childrenOf(author, isAtom);
    const name =
      textIn(person.find("name")) ?? textIn(person.find("email")) ?? textIn(person.find("uri", "url"));
    return toLine(name ?? author.children.filter((child) => typeof child === "string").join(""));
  });
  const creators = children.all
    .filter((el) => el.vocabulary === "dc" && el.name === "creator")
    .map((el) => toLine(textOf(el)));
  const known = (names.some(Boolean) ? names : creators).filter((name) => name !== "");
  return known.length > 0 ? known.join(", ") : undefined;
}

function categoriesOf(entry: Children): string[] {
  const names = entry
    .list("category")
    .map((el) => toLine(el.attributes.label?.trim() || el.attributes.term?.trim() || textOf(el)))
    .filter((name) => name !== "");
  return [...new Set(names)];
}
