import { createHash } from "node:crypto";
import type { ParsedItem } from "./parsed-feed";

export type IdentifiedItem = ParsedItem & {
  /** As published, or made up from what is stable. */
  externalId: string;
  /** What identity is decided by. */
  key: string;
};

/**
 * What identity is decided by: the id, with `http://` read as `https://`, so that a site's move
 * does not double its documents. Everything else about an id counts, case included.
 */
export function foldKey(id: string): string {
  return id.replace(/^https?:\/\//i, "https://");
}

/**
 * Gives every item an id that is the same on every poll: its own, else its link, else its first
 * enclosure, else a hash of title, date and body. Where several items share one, the link tells
 * them apart, then a running number, oldest first.
 *
 * @param repeated Marks of ids that were shared before (`markOf`). Once shared, an id is told apart
 *   for ever: otherwise documents would double when the window moves and one of them is left.
 * @returns The items in order, true duplicates left out, and the marks to remember.
 */
export function identifyItems(
  items: ParsedItem[],
  repeated: readonly string[],
): { items: IdentifiedItem[]; repeated: string[] } {
  const marks = new Set(repeated);
  const identified = items.map((item) => withId(item, baseIdOf(item)));
  const resolved = new Map<IdentifiedItem, IdentifiedItem>();
  for (const [key, found] of groupBy(identified, (item) => item.key)) {
    const group = withoutCopies(found);
    if (group.length > 1) marks.add(markOf(key));
    const [only] = group;
    if (!marks.has(markOf(key)) && only) resolved.set(only, only);
    else for (const [item, told] of tellApart(group)) resolved.set(item, told);
  }
  return {
    items: identified.flatMap((item) => resolved.get(item) ?? []),
    repeated: [...marks].slice(-MAX_MARKS),
  };
}

/** The feed's private memory is bounded; 500 marks are 8 KB. */
const MAX_MARKS = 500;

export function markOf(key: string): string {
  return hash(key).slice(0, 16);
}

function baseIdOf(item: ParsedItem): string {
  return (
    item.id ?? item.rawLink ?? item.link ?? item.enclosures[0]?.url ?? `sha256:${hash(item.fingerprint)}`
  );
}

function withId(item: ParsedItem, externalId: string): IdentifiedItem {
  return { ...item, externalId, key: externalId.split(" ").map(foldKey).join(" ") };
}

/** Feeds repeat whole items; those are one document. */
function withoutCopies(group: IdentifiedItem[]): IdentifiedItem[] {
  const seen = new Set<string>();
  return group.filter((item) => {
    const { externalId: _id, key: _key, id: _own, ...content } = item;
    const mark = group.length > 1 ? JSON.stringify(content) : "";
    if (seen.has(mark)) return false;
    seen.add(mark);
    return true;
  });
}

function tellApart(group: IdentifiedItem[]): [IdentifiedItem, IdentifiedItem][] {
  const told: [IdentifiedItem, IdentifiedItem][] = [];
  const withMore = group.map((item): [IdentifiedItem, IdentifiedItem] => {
    const more = item.id !== undefined ? (item.rawLink ?? item.link) : hash(item.fingerprint).slice(0, 16);
    return [item, more ? withId(item, `${item.externalId} ${more}`) : item];
  });
  for (const [, same] of groupBy(withMore, ([, item]) => item.key)) {
    // Feeds list the newest first: counting from the oldest keeps numbers when one is added.
    const oldestFirst = same.toReversed().sort(([a], [b]) => timeOf(a) - timeOf(b));
    for (const [i, [item, next]] of oldestFirst.entries()) {
      told.push([item, i === 0 ? next : withId(next, `${next.externalId} ${i + 1}`)]);
    }
  }
  return told;
}

function timeOf(item: ParsedItem): number {
  return (item.published ?? item.updated)?.getTime() ?? 0;
}

function groupBy<T>(values: T[], keyOf: (value: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const value of values) {
    const key = keyOf(value);
    const group = groups.get(key);
    if (group) group.push(value);
    else groups.set(key, [value]);
  }
  return groups;
}

function hash(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
