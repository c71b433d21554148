import { describe, expect, it } from "vitest";
import { rssXml } from "./fixtures";
import { parseFeed } from "./parse-feed";
import { FeedUnreadable } from "./parsed-feed";

const parse = (xml: string) =>
  parseFeed(new TextEncoder().encode(xml), undefined, "https://tides.example/feed");
const withDoctype = (doctype: string, title: string) =>
  `<?xml version="1.0"?>${doctype}<rss><channel><title>${title}</title></channel></rss>`;

/** Runs and returns the refusal; fails when it takes a second of processor time. */
function refusedQuickly(xml: string): unknown {
  const started = process.cpuUsage();
  try {
    parse(xml);
    return undefined;
  } catch (error) {
    return error;
  } finally {
    // Not the wall clock: other test files run beside this one.
    expect(process.cpuUsage(started).user / 1000).toBeLessThan(1000);
  }
}

describe("XML bombs", () => {
  it("refuses a billion laughs within a second", () => {
    const levels = Array.from({ length: 10 }, (_, i) => `<!ENTITY l${i + 1} "${`&l${i};`.repeat(10)}">`).join(
      "\n",
    );
    const bomb = withDoctype(`<!DOCTYPE rss [<!ENTITY l0 "lol">\n${levels}]>`, "&l10;");

    expect(refusedQuickly(bomb)).toMatchObject({
      code: "malformed",
      message: expect.stringContaining("entities"),
    });
  });

  it("refuses one entity referenced without end within a second", () => {
    const doctype = `<!DOCTYPE rss [<!ENTITY a "${"x".repeat(1000)}">]>`;

    expect(refusedQuickly(withDoctype(doctype, "&a;".repeat(2_000_000)))).toBeInstanceOf(FeedUnreadable);
  });

  it("refuses documents too deep or with too many elements within a second", () => {
    expect(refusedQuickly(`<rss><channel>${"<a>".repeat(100_000)}`)).toMatchObject({ code: "malformed" });
    expect(refusedQuickly(`<rss><channel>${"<a/>".repeat(1_000_000)}`)).toMatchObject({ code: "malformed" });
    expect(
      refusedQuickly(
        `<rss><channel><a ${Array.from({ length: 1000 }, (_, i) => `b${i}="1"`).join(" ")}/></channel></rss>`,
      ),
    ).toMatchObject({ code: "malformed" });
  });

  it("never reads anything external", () => {
    const doctype = `<!DOCTYPE rss PUBLIC "-//Netscape//DTD RSS 0.91//EN" "http://my.netscape.com/rss.dtd" [
      <!ENTITY file SYSTEM "file:///etc/passwd"><!ENTITY % remote SYSTEM "http://127.0.0.1/x.dtd"> %remote; ]>`;

    expect(parse(withDoctype(doctype, "a &file; b")).title).toBe("a &file; b");
  });

  it("reads twenty megabytes of one text in reasonable time", () => {
    const started = process.cpuUsage();
    const feed = parse(
      rssXml([{ guid: "a", body: "&lt;p&gt;tide &amp;amp; time&lt;/p&gt; ".repeat(500_000) }]),
    );

    expect(feed.items).toHaveLength(1);
    expect(process.cpuUsage(started).user / 1000).toBeLessThan(5000);
  });
});

describe("a document's own entities", () => {
  it.each([
    [`<!DOCTYPE rss [ <!ENTITY id "tag:x,"> <!-- <!ENTITY id "no"> --> ]>`, "&id;1", "tag:x,1"],
    [`<!DOCTYPE rss [<!ENTITY a 'it"s > ]'>]>`, "&a;", 'it"s > ]'],
    [`<!DOCTYPE rss [<!ENTITY lt "&#38;#60;"><!ENTITY nbsp "&#160;">]>`, "1 &lt;&nbsp;2", "1 < 2"],
    [`<!DOCTYPE rss SYSTEM "rss.dtd">`, "&undeclared; &amp; x", "&undeclared; & x"],
    [`<!DOCTYPE rss [<!ENTITY long "${"x".repeat(2000)}">]>`, "&long;", "&long;"],
    [`<!doctype rss>`, "x", "x"],
  ])("expand when flat and short: %s", (doctype, title, expected) => {
    expect(parse(withDoctype(doctype, title)).title).toBe(expected);
  });

  it("are not declared by text that only looks like a DOCTYPE", () => {
    const feed = parse(rssXml([{ guid: "a", body: "<![CDATA[<!DOCTYPE rss [<!ENTITY x 'y'>]>&x;]]>" }]));

    expect(feed.items[0]?.body?.text).toBe("<!DOCTYPE rss [<!ENTITY x 'y'>]>&x;");
  });

  it("do not reach Object.prototype", () => {
    expect(parse(withDoctype("", "&constructor; &toString; &__proto__;")).title).toBe(
      "&constructor; &toString; &__proto__;",
    );
  });
});

describe("hostile shapes stay cheap", () => {
  it.each([
    ["an author of at signs", rssXml([{ extra: `<author>${"@".repeat(1_000_000)}</author>` }])],
    [
      "a page of nested elements and foreign end tags",
      `<html>${"<a>".repeat(300_000)}${"</b>".repeat(300_000)}`,
    ],
    [
      "a title of nested elements",
      rssXml([{ title: `<![CDATA[${"<b>".repeat(200_000)}${"</i>".repeat(200_000)}]]>` }]),
    ],
    ["a page of unfinished titles", `<html>${"<title".repeat(500_000)}`],
    [
      "namespaces declared over and over",
      `<rss>${Array.from({ length: 150 }, (_, i) => `<a ${Array.from({ length: 200 }, (_, j) => `xmlns:p${i}x${j}="u"`).join(" ")}>`).join("")}`,
    ],
    [
      "a long base under many others",
      `<rss xml:base="http://x.example/${"a".repeat(1_000_000)}/">${"<a xml:base='b'/>".repeat(100_000)}</rss>`,
    ],
    ["comments hidden in entity values", `<!DOCTYPE rss [${'<!ENTITY a "<!--">'.repeat(300_000)}]><rss/>`],
    ["JSON of numbers", `{"items":[${"1,".repeat(2_000_000)}1]}`],
    ["a srcset without an end", rssXml([{ body: `<![CDATA[<img srcset="${"a b ".repeat(300_000)}">]]>` }])],
  ])("%s", (_, text) => {
    const started = process.cpuUsage();
    try {
      parse(text);
    } catch (error) {
      expect(error).toBeInstanceOf(FeedUnreadable);
    }
    expect(process.cpuUsage(started).user / 1000).toBeLessThan(2500);
  });

  it("a long base does not multiply into every address", () => {
    const head = `<link>http://x.example/${"a".repeat(5000)}/</link>`;
    const xml = `<rss><channel>${head}${'<item><link>b</link><enclosure url="c"/><description>&lt;a href=d&gt;</description></item>'.repeat(20_000)}</channel></rss>`;
    const feed = parse(xml);

    expect(feed.items).toHaveLength(10_000);
    expect(feed.warnings).toMatchObject([{ code: "too_many_items" }]);
    expect(JSON.stringify(feed.items[0]).length).toBeLessThan(4000);
  });
});
