import { Parser } from "htmlparser2";
import { type Vocabulary, vocabularyOfUndeclaredPrefix, vocabularyOfUri } from "./namespaces";
import { createEntityDecoder, EntityAbuse, readDoctype, stripIllegal } from "./xml-entities";

/** An element with its namespace resolved and its base URL (xml:base, nested) worked out. */
export type XmlElement = {
  vocabulary: Vocabulary;
  /** Local name, lower-case: feeds write `pubdate` and `PubDate`. */
  name: string;
  /** As written, prefix included, for serialising markup. */
  rawName: string;
  /** By local name, lower-case; unprefixed ones win over prefixed ones of the same name. */
  attributes: Record<string, string>;
  rawAttributes: Record<string, string>;
  children: (XmlElement | string)[];
  /** xml:base values of this element and its ancestors, resolved against each other; may be relative. */
  base: string | null;
};

export type XmlDocument = {
  root: XmlElement | null;
  /** False when the text ended inside an open element; the last elements are then incomplete. */
  closed: boolean;
  /** Elements that the end of the text closed, outermost first. */
  unfinished: ReadonlySet<XmlElement>;
};

/** The text is hostile or beyond any feed's size. `message` says which. */
export class XmlRefused extends Error {
  override readonly name = "XmlRefused";
}

const MAX_DEPTH = 200;
/** Ten thousand items of twenty-five elements; more is no feed, and refusing it must stay quick. */
const MAX_ELEMENTS = 250_000;
const MAX_ATTRIBUTES = 256;
/** In force at one place; each element that declares some copies them. */
const MAX_PREFIXES = 256;
/** A base is copied into every address under it. */
const MAX_BASE_LENGTH = 1024;

/**
 * Parses XML tolerantly: bare "&", undeclared entities and prefixes, mismatched and missing end
 * tags, CDATA cut short. Nothing external is ever read; own entities expand only when flat.
 *
 * @throws XmlRefused for entity bombs and for documents too deep or too big.
 */
export function parseXml(text: string): XmlDocument {
  try {
    return buildTree(text);
  } catch (error) {
    if (error instanceof EntityAbuse) throw new XmlRefused(`it abuses XML entities (${error.message})`);
    throw error;
  }
}

function buildTree(text: string): XmlDocument {
  const { xml, entities } = readDoctype(text);
  const decode = createEntityDecoder(entities);
  const stack: { element: XmlElement; scope: Scope }[] = [];
  let root: XmlElement | null = null;
  let elements = 0;
  let inCdata = false;
  const unfinished = new Set<XmlElement>();
  const append = (node: XmlElement | string) => {
    const siblings = stack.at(-1)?.element.children;
    if (!siblings) return;
    const last = siblings.length - 1;
    if (typeof node === "string" && typeof siblings[last] === "string") siblings[last] += node;
    else siblings.push(node);
  };

  const parser = new Parser(
    {
      onopentag(rawName, raw) {
        if (stack.length >= MAX_DEPTH)
          throw new XmlRefused(`it is nested more than ${MAX_DEPTH} levels deep`);
        if (++elements > MAX_ELEMENTS) throw new XmlRefused(`it has more than ${MAX_ELEMENTS} elements`);
        const parent = stack.at(-1);
        const { element, scope } = openElement(rawName, raw, decode, parent);
        append(element);
        if (stack.length === 0) root ??= element;
        stack.push({ element, scope });
      },
      onclosetag(_, impliedByEnd) {
        const closed = stack.pop();
        if (closed && impliedByEnd && atEnd) unfinished.add(closed.element);
      },
      ontext(data) {
        append(inCdata ? stripIllegal(data) : decode(data));
      },
      oncdatastart() {
        inCdata = true;
      },
      oncdataend() {
        inCdata = false;
      },
    },
    { xmlMode: true, decodeEntities: false },
  );
  let atEnd = false;
  parser.write(xml);
  atEnd = true;
  parser.end();
  return { root, closed: unfinished.size === 0, unfinished };
}

/** Prefix → namespace URI; the empty prefix is the default namespace. */
type Scope = ReadonlyMap<string, string>;
const NO_PREFIXES: Scope = new Map();

function openElement(
  rawName: string,
  raw: Record<string, string>,
  decode: (raw: string) => string,
  parent: { element: XmlElement; scope: Scope } | undefined,
): { element: XmlElement; scope: Scope } {
  const outer: Scope = parent?.scope ?? NO_PREFIXES;
  const declared: [string, string][] = [];
  const rawAttributes: Record<string, string> = {};
  const attributes: Record<string, string> = Object.create(null);
  let ownBase: string | undefined;
  const entries = Object.entries(raw);
  if (entries.length > MAX_ATTRIBUTES) throw new XmlRefused("an element has too many attributes");
  for (const [rawKey, rawValue] of entries) {
    const value = decode(rawValue);
    rawAttributes[rawKey] = value;
    const key = rawKey.toLowerCase();
    if (key === "xmlns" || key.startsWith("xmlns:")) {
      declared.push([rawKey.slice(6), value]);
      continue;
    }
    if (key === "xml:base") ownBase = value.trim();
    const { prefix, local } = splitName(key);
    if (prefix === "" || !(local in attributes)) attributes[local] = value;
  }
  const scope: Scope = declared.length > 0 ? new Map([...outer, ...declared]) : outer;
  if (scope.size > MAX_PREFIXES) throw new XmlRefused("it declares too many namespaces");
  const { prefix, local } = splitName(rawName);
  const uri = scope.get(prefix);
  const vocabulary =
    uri !== undefined ? vocabularyOfUri(uri) : prefix === "" ? "core" : vocabularyOfUndeclaredPrefix(prefix);
  const element: XmlElement = {
    vocabulary,
    name: local.toLowerCase(),
    rawName,
    attributes,
    rawAttributes,
    children: [],
    base: joinBase(parent?.element.base ?? null, ownBase),
  };
  return { element, scope };
}

function splitName(name: string): { prefix: string; local: string } {
  const colon = name.indexOf(":");
  return colon < 0
    ? { prefix: "", local: name }
    : { prefix: name.slice(0, colon), local: name.slice(colon + 1) };
}

/** A nested xml:base is resolved against its parent's; a relative one waits for the document's URL. */
function joinBase(outer: string | null, own: string | undefined): string | null {
  if (own === undefined || own.length > MAX_BASE_LENGTH) return outer;
  if (outer === null) return own;
  const joined = URL.canParse(own, outer) ? new URL(own, outer).href : joinRelative(outer, own);
  return joined.length > MAX_BASE_LENGTH ? outer : joined;
}

const PLACEHOLDER = "http://base.invalid/";

function joinRelative(outer: string, own: string): string {
  try {
    const joined = new URL(own, new URL(outer, PLACEHOLDER)).href;
    return joined.startsWith(PLACEHOLDER) ? joined.slice(PLACEHOLDER.length - 1) : joined;
  } catch {
    return outer;
  }
}
