import fc from "fast-check";
import { parseFeed as parseByFeedsmith } from "feedsmith";
import { describe, expect, it } from "vitest";
import { atomXml, datedItems, rssXml } from "./fixtures";
import { parseFeed } from "./parse-feed";
import { FeedUnreadable } from "./parsed-feed";

const parse = (text: string | Uint8Array) =>
  parseFeed(
    typeof text === "string" ? new TextEncoder().encode(text) : text,
    undefined,
    "https://tides.example/feed",
  );

/** What every parser must agree on, as feedsmith reads it. */
function readByPeer(text: string): [string | undefined, string | undefined, string | undefined][] {
  const parsed = parseByFeedsmith(text);
  switch (parsed.format) {
    case "rss":
      return (parsed.feed.items ?? []).map((item) => [item.guid?.value, item.title, item.link]);
    case "atom":
      return (parsed.feed.entries ?? []).map((entry) => [
        entry.id,
        textOf(entry.title),
        entry.links?.[0]?.href,
      ]);
    case "json":
      return (parsed.feed.items ?? []).map((item) => [item.id, item.title, item.url]);
    case "rdf":
      return (parsed.feed.items ?? []).map((item) => [item.rdf?.about, item.title, item.link]);
  }
}

function textOf(title: unknown): string | undefined {
  return typeof title === "string" ? title : (title as { value?: string } | undefined)?.value;
}

const WELL_FORMED: Record<string, string> = {
  rss: rssXml(
    datedItems(3, "urn:x:").map((item, i) => ({
      ...item,
      title: `A &amp; B ${i}`,
      link: `https://tides.example/${i}`,
    })),
  ),
  atom: atomXml(
    [1, 2]
      .map(
        (n) =>
          `<entry><id>urn:${n}</id><title>T ${n}</title><link href="https://tides.example/${n}"/></entry>`,
      )
      .join(""),
  ),
  rdf: `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/"><channel rdf:about="c">
    <title>C</title></channel><item rdf:about="https://tides.example/1"><title>One</title><link>https://tides.example/1</link></item></rdf:RDF>`,
  json: '{"version":"https://jsonfeed.org/version/1.1","title":"T","items":[{"id":"a","title":"A","url":"https://tides.example/a"}]}',
};

describe("beside another parser", () => {
  it.each(Object.entries(WELL_FORMED))("reads well-formed %s as feedsmith does", (_, text) => {
    const ours = parse(text).items.map((item) => [item.id, item.title, item.link]);

    expect(ours).toEqual(readByPeer(text));
    expect(ours.length).toBeGreaterThan(0);
  });
});

describe("whatever comes", () => {
  /** Refusing is fine, with the one error that has words; anything else is a bug. */
  const survives = (input: string | Uint8Array) => {
    try {
      for (const item of parse(input).items) expect(typeof item.fingerprint).toBe("string");
    } catch (error) {
      expect(error).toBeInstanceOf(FeedUnreadable);
    }
  };

  it("feeds cut and garbled anywhere are read or refused in words", () => {
    const texts = fc.constantFrom(...Object.values(WELL_FORMED));
    const garbled = fc
      .tuple(texts, fc.nat(), fc.nat(60), fc.string({ unit: "binary", maxLength: 12 }))
      .map(([text, at, length, insert]) => {
        const start = at % text.length;
        return text.slice(0, start) + insert + text.slice(start + length);
      });
    fc.assert(fc.property(garbled, survives), { numRuns: 500 });
  });

  it("made of the pieces of feeds in any order, too", () => {
    const pieces = [
      "<rss>", "<channel>", "<item>", "</item>", "<title>", "</title>", "<![CDATA[", "]]>", "<!--", "-->", "&amp;", "&#x0;",
      "&x;", "<!DOCTYPE rss [", "<!ENTITY x 'y'>", "]>", "<?xml version='1.0'?>", "<link href='", "'", '"', ">", "<", "/",
      " xml:base='http://[' ", "xmlns:a='", "<feed xmlns='http://www.w3.org/2005/Atom'>", "<entry>", "<content type='xhtml'>",
      "{", "}", '"items":[', "1e999", "\\", "\u0000", "\uFEFF", "\uD800", "<pubDate>99 Foo 2020</pubDate>",
    ]; // biome-ignore format: one list
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 60 }), (list) => survives(list.join(""))),
      { numRuns: 500 },
    );
  });

  it("bytes of any kind, too", () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 300 }), survives), { numRuns: 300 });
  });
});
