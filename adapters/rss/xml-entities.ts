import { decodeHTMLStrict } from "entities";

/** Characters no XML 1.0 document may hold, literally or by reference. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it removes
const ILLEGAL = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g;

/** The document abuses entities. */
export class EntityAbuse extends Error {
  override readonly name = "EntityAbuse";
}

const MAX_ENTITIES = 256;
const MAX_ENTITY_LENGTH = 1024;
/** The longest internal subset in use, HTML's Latin-1 names spelt out, has 8 KB. */
const MAX_SUBSET_LENGTH = 64 * 1024;
/** What all references to a document's own entities may add up to, in characters. */
const MAX_EXPANSION = 256 * 1024;
const REFERENCE = /&(#[xX]?[0-9a-fA-F]+|[A-Za-z_][\w.-]*);/g;
const PREDEFINED = new Map([
  ["amp", "&"],
  ["lt", "<"],
  ["gt", ">"],
  ["quot", '"'],
  ["apos", "'"],
]);

/**
 * Resolves references in one document: numeric, the predefined five, HTML's names, and the
 * document's own entities when these are flat and short. Unknown names and bare "&" stay as written.
 */
export type EntityDecoder = (raw: string) => string;

/**
 * @param own The internal subset's entities (`readDoctype`).
 * @returns a decoder that throws EntityAbuse when references to own entities add up to too much.
 */
export function createEntityDecoder(own: ReadonlyMap<string, string>): EntityDecoder {
  let expanded = 0;
  const resolve = (reference: string, name: string): string => {
    const predefined = PREDEFINED.get(name);
    if (predefined !== undefined) return predefined;
    const value = own.get(name);
    if (value === undefined) return decodeHTMLStrict(reference);
    expanded += value.length;
    if (expanded > MAX_EXPANSION) throw new EntityAbuse("entity references add up to too much");
    return value;
  };
  return (raw) => {
    if (!raw.includes("&")) return stripIllegal(raw);
    // Not `replace` with a function: that finds all matches first, and a bomb has millions.
    const parts: string[] = [];
    let copied = 0;
    for (const match of raw.matchAll(REFERENCE)) {
      const [reference, name = ""] = match;
      parts.push(raw.slice(copied, match.index), resolve(reference, name));
      copied = match.index + reference.length;
    }
    parts.push(raw.slice(copied));
    return stripIllegal(parts.join(""));
  };
}

/** Drops what XML forbids: it is of no use to a reader and breaks others' parsers. */
export function stripIllegal(text: string): string {
  return text.replace(ILLEGAL, "");
}

/**
 * Cuts the DOCTYPE out of the prolog and reads its internal entities.
 *
 * Only flat ones are kept: an entity that refers to another, is external, or is long never expands.
 *
 * @throws EntityAbuse when entities refer to entities, the shape of every XML bomb.
 */
export function readDoctype(xml: string): { xml: string; entities: Map<string, string> } {
  const start = findDoctype(xml);
  if (start < 0) return { xml, entities: new Map() };
  const { end, subset } = scanDoctype(xml, start);
  return { xml: xml.slice(0, start) + xml.slice(end), entities: readEntities(subset) };
}

/** Looks past the declaration, comments and instructions only: "<!DOCTYPE" in content is text. */
function findDoctype(xml: string): number {
  let at = 0;
  for (;;) {
    at = xml.indexOf("<", at);
    if (at < 0) return -1;
    if (xml.startsWith("<!--", at)) at = endOf(xml, "-->", at + 4);
    else if (xml.startsWith("<?", at)) at = endOf(xml, "?>", at + 2);
    else return /^<!doctype\b/i.test(xml.slice(at, at + 10)) ? at : -1;
  }
}

function scanDoctype(xml: string, start: number): { end: number; subset: string } {
  let subsetStart = -1;
  let subsetEnd = -1;
  for (let at = start + 9; at < xml.length; at++) {
    const char = xml[at];
    if (char === '"' || char === "'") at = endOf(xml, char, at + 1) - 1;
    else if (xml.startsWith("<!--", at)) at = endOf(xml, "-->", at + 4) - 1;
    else if (xml.startsWith("<?", at)) at = endOf(xml, "?>", at + 2) - 1;
    else if (char === "[" && subsetStart < 0) subsetStart = at + 1;
    else if (char === "]" && subsetStart >= 0 && subsetEnd < 0) subsetEnd = at;
    else if (char === ">" && (subsetStart < 0 || subsetEnd >= 0)) {
      return { end: at + 1, subset: subsetStart < 0 ? "" : xml.slice(subsetStart, subsetEnd) };
    }
  }
  return { end: xml.length, subset: "" };
}

function readEntities(subset: string): Map<string, string> {
  if (subset.length > MAX_SUBSET_LENGTH) throw new EntityAbuse("too many declarations");
  const entities = new Map<string, string>();
  const declarations = subset
    .replace(/<!--[\s\S]*?-->/g, "")
    .matchAll(/<!ENTITY\s+([A-Za-z_][\w.-]*)\s+(?:"([^"]*)"|'([^']*)')\s*>/g);
  for (const [, name = "", quoted, apostrophed] of declarations) {
    const value = quoted ?? apostrophed ?? "";
    const references = value.matchAll(/[&%]([A-Za-z_][\w.-]*);/g);
    for (const [, target = ""] of references) {
      if (!PREDEFINED.has(target)) throw new EntityAbuse("entities refer to entities");
    }
    if (entities.size >= MAX_ENTITIES) throw new EntityAbuse("too many entities");
    if (value.length <= MAX_ENTITY_LENGTH && !entities.has(name)) entities.set(name, decodeHTMLStrict(value));
  }
  return entities;
}

/** Index after the next `mark`, or the end of the text. */
function endOf(text: string, mark: string, from: number): number {
  const at = text.indexOf(mark, from);
  return at < 0 ? text.length : at + mark.length;
}
