import { resolveOne } from "./html-links";
import { joinUrls } from "./urls";
import { walkHtml } from "./walk-html";
import type { XmlElement } from "./xml-tree";

/** All text inside an element, markup dropped. */
export function textOf(element: XmlElement): string {
  return element.children.map((child) => (typeof child === "string" ? child : textOf(child))).join("");
}

/** Element children only. */
export function elementsOf(element: XmlElement): XmlElement[] {
  return element.children.filter((child) => typeof child !== "string");
}

/**
 * The inside of an element as HTML source. Escaped markup and CDATA are already source; markup
 * that was written unescaped (Atom xhtml, careless RSS) is written out again, its addresses
 * resolved where it carries an xml:base of its own.
 */
export function innerHtml(element: XmlElement, documentUrl: string): string {
  const hasMarkup = element.children.some((child) => typeof child !== "string");
  return hasMarkup
    ? element.children.map((child) => serialize(child, element, documentUrl)).join("")
    : textOf(element);
}

const VOID = new Set("area base br col embed hr img input link meta source track wbr".split(" "));

function serialize(node: XmlElement | string, container: XmlElement, documentUrl: string): string {
  if (typeof node === "string") return escapeText(node);
  const name = node.vocabulary === "xhtml" || node.vocabulary === "core" ? node.name : node.rawName;
  const ownBase =
    node.base !== container.base && node.base !== null ? joinUrls(node.base, documentUrl) : null;
  const attributes = Object.entries(node.rawAttributes)
    .filter(([key]) => !/^xmlns(:|$)|^xml:/i.test(key))
    .map(([key, value]) => {
      const resolved =
        ownBase && /^(?:href|src|poster|cite)$/i.test(key) ? resolveOne(value, ownBase) : value;
      return ` ${key}="${escapeText(resolved).replaceAll('"', "&quot;")}"`;
    })
    .join("");
  const inner = node.children.map((child) => serialize(child, container, documentUrl)).join("");
  // Read as XML, a bare `<br>` swallowed what follows it.
  if (VOID.has(name)) return `<${name}${attributes}>${inner}`;
  return `<${name}${attributes}>${inner}</${name}>`;
}

function escapeText(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

/** HTML source → one line of text. */
export function htmlToLine(html: string): string {
  const parts: string[] = [];
  let hidden = 0;
  walkHtml(html, {
    onopentagname: (name) => {
      if (name === "script" || name === "style") hidden++;
      if (/^(?:br|p|div|li|h[1-6])$/.test(name)) parts.push(" ");
    },
    onclosetag: (name) => {
      if (name === "script" || name === "style") hidden--;
    },
    ontext: (text) => {
      if (hidden <= 0) parts.push(text);
    },
  });
  return toLine(parts.join(""));
}

/** Inline tags that turn up in titles. "1 < 2" and "Using <script>" are not among them. */
const TITLE_MARKUP =
  /<\/?(?:a|abbr|acronym|b|big|br|cite|code|del|em|font|i|img|ins|mark|p|q|s|small|span|strike|strong|sub|sup|tt|u|wbr)(?:\s[^<>]*)?\/?>|&(?:#\d+|#x[\da-f]+|[a-z][a-z\d]*);/i;

/** An RSS title is plain text by the book and HTML in the wild: HTML only when it shows. */
export function rssTitle(element: XmlElement, documentUrl: string): string {
  const text = innerHtml(element, documentUrl);
  return elementsOf(element).length > 0 || TITLE_MARKUP.test(text) ? htmlToLine(text) : toLine(text);
}

export function toLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
