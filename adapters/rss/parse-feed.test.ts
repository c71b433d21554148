import { describe, expect, it } from "vitest";
import { atomXml, rssXml } from "./fixtures";
import { parseFeed } from "./parse-feed";
import type { ParsedFeed } from "./parsed-feed";

const URL_OF_FEED = "https://tides.example/feeds/main.xml";
const parse = (text: string | Uint8Array, contentType?: string): ParsedFeed =>
  parseFeed(typeof text === "string" ? new TextEncoder().encode(text) : text, contentType, URL_OF_FEED);
const firstOf = (text: string) => parse(text).items[0];
const refusal = (text: string) => {
  try {
    return parse(text);
  } catch (error) {
    return error;
  }
};

describe("which format it is", () => {
  it.each([
    ["rss", '<rss version="0.91"><channel><title>T</title><item><title>a</title></item></channel></rss>'],
    [
      "rss",
      '\n\n<?xml version="1.0"?><!-- c --><RSS><Channel><Title>T</Title><Item><Title>a</Title></Item></Channel></RSS>',
    ],
    [
      "rss",
      '<rss xmlns="http://backend.userland.com/rss2"><channel><title>T</title><item><title>a</title></item></channel></rss>',
    ],
    [
      "rss",
      '<rss xmlns="urn:whatever"><channel><title>T</title></channel><item><title>a</title></item></rss>',
    ],
    [
      "rss",
      "Notice: undefined index\n<rss><channel><title>T</title><item><title>a</title></item></channel></rss>",
    ],
    [
      "rdf",
      '<r:RDF xmlns:r="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/"><channel><title>T</title></channel><item r:about="x"><title>a</title></item></r:RDF>',
    ],
    [
      "rdf",
      '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://my.netscape.com/rdf/simple/0.9/"><channel><title>T</title></channel><item><title>a</title></item></rdf:RDF>',
    ],
    [
      "atom",
      '<a:feed xmlns:a="http://www.w3.org/2005/Atom"><a:title>T</a:title><a:entry><a:title>a</a:title></a:entry></a:feed>',
    ],
    [
      "atom",
      '<feed version="0.3" xmlns="http://purl.org/atom/ns#"><title>T</title><entry><title>a</title></entry></feed>',
    ],
    ["atom", '<feed xmlns="urn:unknown"><title>T</title><entry><title>a</title></entry></feed>'],
    ["atom", "<feed><title>T</title><entry><title>a</title></entry></feed>"],
    [
      "json",
      '\uFEFF {"version":"https://jsonfeed.org/version/1","title":"T","items":[{"id":"1","title":"a"}]}',
    ],
  ])("%s: %s", (format, text) => {
    expect(parse(text, "text/plain")).toMatchObject({ format, title: "T", items: [{ title: "a" }] });
  });

  it.each([
    ["", "is empty"],
    ["   \n", "is empty"],
    ["plain words", "plain text"],
    ["<!DOCTYPE html><title>Sign in</title>", "titled “Sign in”"],
    [
      '<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title>X</title></head></html>',
      "web page titled “X”",
    ],
    ["<opml><body/></opml>", "OPML"],
    ['<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"/>', "sitemap"],
    ["<svg/>", "<svg>"],
    [
      '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description/></rdf:RDF>',
      "not a feed",
    ],
    ["[]", "JSON, but not"],
    ['{"error":"no"}', "JSON, but not"],
  ])("refuses %j: %s", (text, words) => {
    expect(refusal(text)).toMatchObject({ code: "not_a_feed", message: expect.stringContaining(words) });
  });
});

describe("RSS", () => {
  it("matches by namespace and not by prefix, and is not misled by nested names", () => {
    const item =
      firstOf(`<rss xmlns:c="http://purl.org/rss/1.0/modules/content/" xmlns:d="http://purl.org/dc/elements/1.1/"
      xmlns:content="urn:other" xmlns:media="http://search.yahoo.com/mrss/"><channel>
      <image><title>Not this</title></image><title>T</title>
      <item><media:title>nor this</media:title><title>This</title><content:encoded>wrong</content:encoded>
      <c:encoded>&lt;p&gt;right&lt;/p&gt;</c:encoded><d:creator>Jo</d:creator><d:date>2026-03-05</d:date></item></channel></rss>`);

    expect(item).toMatchObject({ title: "This", author: "Jo", body: { text: "<p>right</p>" } });
    expect(item?.published?.toISOString()).toBe("2026-03-05T00:00:00.000Z");
  });

  it.each([
    ["<guid>http://x.example/1</guid>", "http://x.example/1"],
    ['<guid isPermaLink="false">http://x.example/1</guid>', undefined],
    ['<guid isPermaLink="true">not-a-url</guid>', undefined],
    ["<guid>abc</guid><link>/rel</link>", "https://tides.example/rel"],
    ["<link/><atom:link href='http://x.example/2'/>", "http://x.example/2"],
    [
      "<atom:link rel='self' href='http://x.example/self'/><link>http://x.example/3</link>",
      "http://x.example/3",
    ],
    ["<link>javascript:alert(1)</link>", undefined],
    ["<link>\n  http://x.example/4\n</link>", "http://x.example/4"],
    ["<link>http://x.example/a?b=1&c=2</link>", "http://x.example/a?b=1&c=2"],
  ])("takes the link of %s", (extra, link) => {
    expect(firstOf(rssXml([{ extra }]))?.link).toBe(link);
  });

  it.each([
    ["jo@x.example (Jo Smith)", "Jo Smith"],
    ["Jo Smith &lt;jo@x.example&gt;", "Jo Smith"],
    ["jo@x.example", "jo@x.example"],
    ["Jo", "Jo"],
  ])("names the author %s", (author, name) => {
    expect(firstOf(rssXml([{ extra: `<author>${author}</author>` }]))?.author).toBe(name);
  });

  it.each([
    ["1 &lt; 2", "1 < 2"],
    ["&lt;em&gt;Low&lt;/em&gt; tide", "Low tide"],
    ["<![CDATA[Fish & <b>chips</b>]]>", "Fish & chips"],
    ["Using &lt;script&gt; tags", "Using <script> tags"],
    ["Q&amp;amp;A", "Q&A"],
    ["  two\n lines ", "two lines"],
    ["Tom & Jerry", "Tom & Jerry"],
    ["caf&eacute;&nbsp;&hellip; &unknown; &#8217;&#x2019;&#146;", "café … &unknown; ’’’"],
  ])("reads the title %s as %s", (title, line) => {
    expect(firstOf(rssXml([{ title }]))?.title).toBe(line);
  });

  it("resolves addresses in a body against xml:base, else the item's link", () => {
    const body =
      "&lt;img src='a.png'&gt;&lt;a href=\"#x\"&gt;&lt;img srcset='b.png 1x, /c.png 2x'&gt;&lt;a href='http://y.example/'&gt;";

    expect(firstOf(rssXml([{ link: "http://x.example/posts/1", body }]))?.body?.text).toBe(
      "<img src='http://x.example/posts/a.png'><a href=\"#x\"><img srcset='http://x.example/posts/b.png 1x, http://x.example/c.png 2x'><a href='http://y.example/'>",
    );
    const withBase = `<description xml:base="http://z.example/d/">&lt;img src=a.png&gt;</description>`;
    expect(firstOf(rssXml([{ link: "http://x.example/1", extra: withBase }]))?.body?.text).toBe(
      "<img src=http://z.example/d/a.png>",
    );
  });

  it("keeps markup that was forgotten to be escaped", () => {
    expect(firstOf(rssXml([{ body: "<p>a &amp; b<br>c" }]))?.body?.text).toBe("<p>a &amp; b<br>c</p>");
  });

  it("survives control characters, mismatched tags and CDATA that never ends", () => {
    const feed = parse(`<rss><channel><title>T\u0000\u0008&#0;&#11;x</title>
      <item><title>one</titel></item><item><title>two</title><foo></item>
      <item><title>three</title><description><![CDATA[never ends`);

    expect(feed).toMatchObject({ whole: false, title: expect.stringMatching(/^T.?.?x$/) });
    expect(feed.items.map((item) => item.title)).toEqual(["one", "two"]);
    expect(feed.warnings).toMatchObject([{ code: "truncated" }]);
  });

  it("finds enclosures, media and a picture", () => {
    const item = firstOf(
      rssXml([
        {
          extra: `<enclosure url="http://x.example/a.mp3" type="audio/mpeg" length="12"/><media:group>
          <media:content url="http://x.example/v.mp4" type="video/mp4" fileSize="9" duration="61.4"/>
          <media:content url="http://x.example/a.mp3"/><media:thumbnail url="http://x.example/t.jpg"/>
          <media:description>said</media:description></media:group>`,
        },
      ]),
    );

    expect(item).toMatchObject({
      enclosures: [
        { url: "http://x.example/a.mp3", type: "audio/mpeg", bytes: 12 },
        { url: "http://x.example/v.mp4", type: "video/mp4", bytes: 9, seconds: 61 },
      ],
      image: "http://x.example/t.jpg",
      body: { text: "said", format: "text" },
    });
  });

  it("reads items beside and inside the channel, and metadata after them", () => {
    const feed = parse(
      "<rss><channel><item><guid>a</guid></item><title>Late</title></channel><item><guid>b</guid></item></rss>",
    );

    expect(feed).toMatchObject({ title: "Late", items: [{ id: "a" }, { id: "b" }] });
  });
});

describe("Atom", () => {
  it("resolves nested xml:base, each against its parent", () => {
    const item = firstOf(`<feed xmlns="http://www.w3.org/2005/Atom" xml:base="/blog/"><entry xml:base="2026/">
      <id> tag:x,2026:%7Ea </id><link href="post"/><link rel="enclosure" href="a.mp3" length="5"/>
      <content type="xhtml" xml:base="post/"><div xmlns="http://www.w3.org/1999/xhtml"><p xml:base="deep/"><a href="x">1 &lt; 2</a></p><img src="y"/></div></content>
      </entry></feed>`);

    expect(item).toMatchObject({
      id: "tag:x,2026:%7Ea",
      link: "https://tides.example/blog/2026/post",
      enclosures: [{ url: "https://tides.example/blog/2026/a.mp3", bytes: 5 }],
      body: {
        format: "html",
        text: '<p><a href="https://tides.example/blog/2026/post/deep/x">1 &lt; 2</a></p><img src="https://tides.example/blog/2026/post/y">',
      },
    });
  });

  it.each([
    ['<content type="html">&lt;p&gt;x&lt;/p&gt;</content>', { text: "<p>x</p>", format: "html" }],
    ["<content>a &lt;b&gt; c</content>", { text: "a <b> c", format: "text" }],
    [
      '<content type="text/html" mode="escaped"><![CDATA[<i>x</i>]]></content>',
      { text: "<i>x</i>", format: "html" },
    ],
    ['<content type="text/html" mode="base64">PGI+eDwvYj4=</content>', { text: "<b>x</b>", format: "html" }],
    ['<content type="image/png">iVBORw0KGgo=</content><summary>s</summary>', { text: "s", format: "text" }],
    [
      '<content src="/elsewhere" type="text/html"/><summary type="html">s</summary>',
      { text: "s", format: "html" },
    ],
  ])("reads the body of %s", (xml, body) => {
    expect(firstOf(atomXml(`<entry><id>a</id>${xml}</entry>`))?.body).toEqual(body);
  });

  it("prefers the page for people, inherits authors, tells published from updated", () => {
    const author = (name: string) => `<author><name>${name}</name></author>`;
    const feed = parse(
      atomXml(
        `<entry><id>a</id><link rel="alternate" type="application/json" href="/a.json"/><link rel="alternate" type="text/html" href="/a.html"/>
          <title type="html">A &amp;amp; &lt;i&gt;B&lt;/i&gt;</title><published>2026-03-01T00:00:00Z</published><updated>2026-03-02T00:00:00Z</updated><category term="t" label="Label"/></entry>
         <entry><id>b</id>${author("Own")}${author("Two")}<source><title>Not this</title>${author("Source")}</source></entry>
         <entry><id>c</id><source>${author("Source")}</source></entry>`,
        author("Feed"),
      ),
    );

    expect(feed.items.map((item) => item.author)).toEqual(["Feed", "Own, Two", "Source"]);
    expect(feed.items[0]).toMatchObject({
      link: "https://tides.example/a.html",
      title: "A & B",
      categories: ["Label"],
      published: new Date("2026-03-01T00:00:00Z"),
      updated: new Date("2026-03-02T00:00:00Z"),
    });
  });
});

describe("JSON Feed", () => {
  const feed = (items: string) =>
    `{"version":"https://jsonfeed.org/version/1.1","title":"T","authors":[{"name":"Feed"}],"items":[${items}]}`;

  it("F32: keeps numeric ids exact beyond 2^53, and tells neighbours apart", () => {
    const { items } = parse(
      feed('{"id":723389637071249410},{"id":723389637071249411},{"id": -12},{"id":"007"},{"id":7}'),
    );

    expect(items.map((item) => item.id)).toEqual([
      "723389637071249410",
      "723389637071249411",
      "-12",
      "007",
      "7",
    ]);
  });

  it("leaves out items without an id and says how many", () => {
    const { items, warnings } = parse(feed('{"id":"a"},{"id":"  "},{"title":"x"},{"id":null},null'));

    expect(items).toHaveLength(1);
    expect(warnings).toEqual([{ code: "items_without_id", message: expect.stringContaining("4 items") }]);
  });

  it("maps its fields", () => {
    const item = parse(
      feed(`{"id":"a","url":"/a","title":"A","content_html":"<img src='i.png'> \\"1\\"","summary":"s","image":"/i.png","tags":["x",1],
        "date_published":"2026-03-01T00:00:00Z","date_modified":"2026-03-02T00:00:00Z","author":{"name":"Old"},
        "attachments":[{"url":"/m.mp3","mime_type":"audio/mpeg","size_in_bytes":12345678901,"duration_in_seconds":6.6e1}]}`),
    ).items[0];

    expect(item).toMatchObject({
      link: "https://tides.example/a",
      body: { text: `<img src='https://tides.example/feeds/i.png'> "1"`, format: "html" },
      summary: "s",
      author: "Old",
      image: "https://tides.example/i.png",
      categories: ["x", "1"],
      enclosures: [
        { url: "https://tides.example/m.mp3", type: "audio/mpeg", bytes: 12345678901, seconds: 66 },
      ],
    });
  });

  it("refuses what is not valid JSON", () => {
    for (const text of [
      '{"items":[}',
      '{"a":01}',
      '{"a":-}',
      '{"a":"open',
      '{"version":"https://jsonfeed.org/version/1"',
    ]) {
      expect(refusal(text)).toMatchObject({ code: "malformed" });
    }
  });

  it("says that a finished feed need not be asked often", () => {
    expect(
      parse('{"version":"https://jsonfeed.org/version/1","title":"T","expired":true,"items":[]}').hints,
    ).toEqual({ minIntervalSeconds: 86400 });
  });
});
