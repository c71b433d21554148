import { decodeText } from "@/adapters/rss/decode-text";
import { parseXml, type XmlElement, XmlRefused } from "@/adapters/rss/xml-tree";
import { AppError } from "@/server/errors";
import { MAX_OPML_BYTES, MAX_OUTLINES } from "./schema";

/** A feed as the file lists it. */
export type OpmlOutline = {
  /** As written, at most 8,192 characters; may be no address at all. */
  url: string;
  title: string | null;
  /** Folders from the outside in. */
  groups: string[];
};

export type OpmlFile = { title: string | null; outlines: OpmlOutline[] };

const MAX_TITLE = 300;
const MAX_GROUP = 200;
const MAX_URL = 8192;
const MAX_GROUP_DEPTH = 20;

/**
 * Reads an OPML file as tolerantly as feeds are read: any encoding, bare "&", missing end tags. Hostile
 * XML is refused by the parser (depth, size, entities); nothing external is ever read.
 *
 * @throws AppError invalid_request for what is no OPML, too big, or lists more than 5,000 feeds.
 */
export function parseOpml(bytes: Uint8Array): OpmlFile {
  if (bytes.byteLength > MAX_OPML_BYTES) throw refused("too_large", "The file is larger than 5 MiB.");
  const root = readRoot(decodeText(bytes, undefined).text);
  const body = root && childOf(root, "body");
  if (root?.name !== "opml" || !body) {
    throw refused("not_opml", "This is not an OPML file. Export one from your feed reader and choose that.");
  }
  const outlines: OpmlOutline[] = [];
  collect(body, [], outlines);
  const head = childOf(root, "head");
  const title = head && childOf(head, "title");
  return { title: clean(title ? textOf(title) : "", MAX_TITLE), outlines };
}

function readRoot(text: string): XmlElement | null {
  try {
    return parseXml(text).root;
  } catch (error) {
    if (error instanceof XmlRefused) throw refused("refused", `The file cannot be read: ${error.message}.`);
    throw error;
  }
}

// The parser bounds the depth, so recursion is bounded too.
function collect(parent: XmlElement, groups: string[], found: OpmlOutline[]): void {
  for (const child of parent.children) {
    if (typeof child === "string" || child.name !== "outline") continue;
    const { xmlurl, title, text } = child.attributes;
    const name = clean(title, MAX_TITLE) ?? clean(text, MAX_TITLE);
    if (xmlurl === undefined) {
      const inner = name && groups.length < MAX_GROUP_DEPTH ? [...groups, name.slice(0, MAX_GROUP)] : groups;
      collect(child, inner, found);
      continue;
    }
    if (found.length >= MAX_OUTLINES) {
      throw refused(
        "too_many",
        `The file lists more than ${MAX_OUTLINES.toLocaleString("en")} feeds. Split it.`,
      );
    }
    found.push({ url: xmlurl.trim().slice(0, MAX_URL + 1), title: name, groups });
    // Some readers nest feeds below feeds.
    collect(child, groups, found);
  }
}

function childOf(element: XmlElement, name: string): XmlElement | undefined {
  return element.children.find(
    (child): child is XmlElement => typeof child !== "string" && child.name === name,
  );
}

function textOf(element: XmlElement): string {
  return element.children.filter((child) => typeof child === "string").join("");
}

/** One line of text that the database can hold, or null. */
export function clean(text: string | null | undefined, max: number): string | null {
  const line = (text ?? "").replaceAll("\0", "").toWellFormed().replace(/\s+/g, " ").trim();
  return line === "" ? null : line.slice(0, max).toWellFormed();
}

function refused(code: string, message: string): AppError {
  return new AppError("invalid_request", message, { fields: [{ path: "base64", code, message }] });
}
