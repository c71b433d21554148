/** Vocabularies feeds are written in. Elements are matched by these, never by prefix. */
export type Vocabulary =
  | "core" // RSS 0.9x, 1.0, 2.0: no namespace, or one of those RSS went by
  | "atom"
  | "rdf"
  | "content"
  | "dc"
  | "dcterms"
  | "sy"
  | "media"
  | "itunes"
  | "tombstone"
  | "history"
  | "xhtml"
  | "xml"
  | "other";

/** Keys are folded: scheme, letter case and a trailing slash or hash vary in the wild. */
const BY_URI: Record<string, Vocabulary> = {
  "": "core",
  "purl.org/rss/1.0": "core",
  "channel.netscape.com/rdf/simple/0.9": "core",
  "my.netscape.com/rdf/simple/0.9": "core",
  "my.netscape.com/publish/formats/rss-0.91.dtd": "core",
  "purl.org/net/rss1.1": "core",
  "backend.userland.com/rss": "core",
  "backend.userland.com/rss2": "core",
  "backend.userland.com/rss091": "core",
  "blogs.law.harvard.edu/tech/rss": "core",
  "cyber.law.harvard.edu/rss": "core",
  "www.rssboard.org/rss-specification": "core",
  "www.w3.org/2005/atom": "atom",
  "purl.org/atom/ns": "atom",
  "example.com/newformat": "atom",
  "www.w3.org/1999/02/22-rdf-syntax-ns": "rdf",
  "purl.org/rss/1.0/modules/content": "content",
  "purl.org/dc/elements/1.1": "dc",
  "purl.org/dc/elements/1.0": "dc",
  "purl.org/dc/terms": "dcterms",
  "purl.org/rss/1.0/modules/syndication": "sy",
  "search.yahoo.com/mrss": "media",
  "tools.search.yahoo.com/mrss": "media",
  "www.itunes.com/dtds/podcast-1.0.dtd": "itunes",
  "purl.org/atompub/tombstones/1.0": "tombstone",
  "purl.org/syndication/history/1.0": "history",
  "www.w3.org/1999/xhtml": "xhtml",
  "www.w3.org/xml/1998/namespace": "xml",
};

/** What the usual prefixes mean in documents that forgot to declare them. */
const BY_PREFIX: Record<string, Vocabulary> = {
  atom: "atom",
  atom10: "atom",
  a10: "atom",
  rdf: "rdf",
  content: "content",
  dc: "dc",
  dcterms: "dcterms",
  sy: "sy",
  media: "media",
  itunes: "itunes",
  at: "tombstone",
  fh: "history",
  xhtml: "xhtml",
  xml: "xml",
};

export function vocabularyOfUri(uri: string): Vocabulary {
  const folded = uri
    .trim()
    .toLowerCase()
    .replace(/^https?:\/\//, "")
    .replace(/[/#]+$/, "");
  return BY_URI[folded] ?? "other";
}

export function vocabularyOfUndeclaredPrefix(prefix: string): Vocabulary {
  return BY_PREFIX[prefix.toLowerCase()] ?? "other";
}
