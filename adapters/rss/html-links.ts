import { decodeHTMLAttribute } from "entities";
import { Tokenizer } from "htmlparser2";

/** Attributes that hold one URL. */
const URL_ATTRIBUTES = new Set(["href", "src", "poster", "cite", "background", "longdesc", "data", "action"]);

/** Longer values are data and not relative addresses. */
const MAX_VALUE_LENGTH = 8192;

/** A scheme, a fragment of the page itself, or nothing: no base is needed. */
const NEEDS_NO_BASE = /^\s*(?:[a-z][a-z0-9+.-]*:|#|$)/i;

/**
 * Makes relative addresses in a piece of HTML absolute and leaves every other byte alone, so that
 * a body without relative addresses is the body that was published.
 */
export function resolveHtmlLinks(html: string, base: string): string {
  if (!html.includes("<")) return html;
  const edits: { start: number; end: number; text: string }[] = [];
  let name = "";
  let start = -1;
  let end = -1;
  const extend = (from: number, to: number) => {
    if (start < 0) start = from;
    end = to;
  };
  const tokenizer = new Tokenizer(
    { xmlMode: false, decodeEntities: false },
    {
      onattribname(from, to) {
        name = html.slice(from, to).toLowerCase();
        start = -1;
      },
      onattribdata: extend,
      onattribentity() {},
      onattribend() {
        if (start < 0 || end - start > MAX_VALUE_LENGTH || !(URL_ATTRIBUTES.has(name) || name === "srcset"))
          return;
        const value = decodeHTMLAttribute(html.slice(start, end));
        const resolved = name === "srcset" ? resolveSrcset(value, base) : resolveOne(value, base);
        if (resolved !== value) edits.push({ start, end, text: escapeAttribute(resolved) });
      },
      oncdata() {},
      onclosetag() {},
      oncomment() {},
      ondeclaration() {},
      onend() {},
      onopentagend() {},
      onopentagname() {},
      onprocessinginstruction() {},
      onselfclosingtag() {},
      ontext() {},
      ontextentity() {},
    },
  );
  tokenizer.write(html);
  tokenizer.end();
  return splice(html, edits);
}

function splice(text: string, edits: { start: number; end: number; text: string }[]): string {
  const parts: string[] = [];
  let at = 0;
  for (const edit of edits) {
    parts.push(text.slice(at, edit.start), edit.text);
    at = edit.end;
  }
  parts.push(text.slice(at));
  return parts.join("");
}

/** Absolute, when it was relative and can be resolved; otherwise as it was. */
export function resolveOne(url: string, base: string): string {
  if (NEEDS_NO_BASE.test(url)) return url;
  try {
    return new URL(url.trim(), base).href;
  } catch {
    return url;
  }
}

function resolveSrcset(value: string, base: string): string {
  return value.replace(
    /([^\s,][^\s]*[^\s,]|[^\s,])(\s+[\d.]+[wx])?(\s*,\s*|\s*$)/g,
    (_, url, size = "", end) => {
      return `${resolveOne(url, base)}${size}${end}`;
    },
  );
}

function escapeAttribute(value: string): string {
  return value.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("'", "&#39;");
}
