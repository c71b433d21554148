import { beforeAll, describe, expect, it } from "vitest";
import type { Caller } from "@/server/actor";
import { createSource } from "@/server/sources/create-source";
import { useDatabase } from "@/test/database";
import { createCaller } from "@/test/factories";
import { exportOpml } from "./export-opml";
import { importOpml } from "./import-opml";
import { parseOpml } from "./parse-opml";
import { previewOpml } from "./preview-opml";

const t = useDatabase();
let caller: Caller;

beforeAll(async () => {
  caller = await createCaller(t.db);
});

const file = (body: string, head = "") =>
  `<?xml version="1.0"?><opml version="2.0"><head>${head}</head><body>${body}</body></opml>`;
const parse = (text: string) => parseOpml(Buffer.from(text));
const preview = (text: string, who = caller) =>
  previewOpml(t.db, who, { base64: Buffer.from(text).toString("base64") });
const feed = (url: string, title = "T") => `<outline type="rss" text="${title}" xmlUrl="${url}"/>`;

describe("parsing", () => {
  it("reads nested groups, titles, entities and sloppy markup", () => {
    const { title, outlines } = parse(
      file(
        `<outline text="News"><outline title="Coast &amp; Sea"><OUTLINE XMLURL="https://a.example/1" text=" A  &#x2014;
         B "/></outline><outline text="x" xmlUrl="https://a.example/2?a=1&b=2"></outline>
         <outline text="A page" type="link" url="https://a.example"/></outline>${feed("https://a.example/3", "")}`,
        "<title>Mine</title>",
      ),
    );
    expect(title).toBe("Mine");
    expect(outlines).toEqual([
      { url: "https://a.example/1", title: "A — B", groups: ["News", "Coast & Sea"] },
      { url: "https://a.example/2?a=1&b=2", title: "x", groups: ["News"] },
      { url: "https://a.example/3", title: null, groups: [] },
    ]);
  });

  it("reads the encoding that the file declares", () => {
    const bytes = Buffer.from(
      `<?xml version="1.0" encoding="ISO-8859-1"?><opml><body>${feed("https://a.example/", "Caf\u00e9")}</body></opml>`,
      "latin1",
    );
    expect(parseOpml(bytes).outlines[0]?.title).toBe("Café");
  });

  it.each([
    ["no XML", "hello"],
    ["a feed", "<rss><channel/></rss>"],
    ["nothing", ""],
    ["an OPML without a body", "<opml><head/></opml>"],
  ])("refuses %s", (_, text) => {
    expect(() => parse(text)).toThrow(/not an OPML file/);
  });

  it("refuses hostile XML quickly and reads nothing from outside", () => {
    const bomb = `<!DOCTYPE o [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;">]>${file("<outline text='&c;' xmlUrl='https://a.example/'/>")}`;
    const started = performance.now();
    expect(() => parse(bomb)).toThrow();
    expect(() => parse(file("<outline>".repeat(300)))).toThrow(/nested/);
    expect(() => parse(file(feed("https://a.example/").repeat(5_001)))).toThrow(/5,000/);
    const outside = parse(
      `<!DOCTYPE o [<!ENTITY x SYSTEM "file:///etc/passwd">]>${file(feed("https://a.example/", "&x;"))}`,
    );
    expect(JSON.stringify(outside)).not.toContain("root:");
    expect(performance.now() - started).toBeLessThan(2_000);
  });
});

describe("a preview", () => {
  it("tells new, known, repeated and impossible feeds apart, and shows no secret", async () => {
    const own = await createCaller(t.db);
    await createSource(t.db, own, {
      type: "rss",
      name: "Known",
      feeds: [
        { externalKey: "http://known.example/feed" },
        { externalKey: "https://secret.example/feed?key=hunter2" },
      ],
    });
    const { items, counts } = await preview(
      file(
        [
          "https://new.example/feed",
          "HTTP://New.example:80/feed",
          "https://KNOWN.example/feed",
          "http://secret.example/feed?key=hunter2",
          "https://secret.example/feed?key=other",
          "feed://new.example/other",
          "ftp://old.example/",
          "not an address",
          "https://masked.example/feed?key=***",
          "",
        ]
          .map((url) => feed(url))
          .join(""),
      ),
      own,
    );
    expect(items.map((item) => item.status)).toEqual([
      "new",
      "duplicate",
      "duplicate",
      "duplicate",
      "new",
      "new",
      "invalid",
      "invalid",
      "invalid",
      "invalid",
    ]);
    expect(items[1]).toMatchObject({ known: null, reason: "Listed earlier in this file." });
    expect(items[2]?.known).toMatchObject({ name: "http://known.example/feed" });
    expect(items[3]?.shownUrl).toBe("http://secret.example/feed?key=***");
    expect(items[5]?.url).toBe("http://new.example/other");
    expect(items[8]?.reason).toMatch(/masked/);
    expect(counts).toEqual({ new: 3, duplicate: 3, invalid: 4 });
    expect(JSON.stringify(items.map(({ url: _, ...shown }) => shown))).not.toMatch(/hunter2|key=other/);
  });
});

it("knows a publication that is followed by another adapter", async () => {
  const own = await createCaller(t.db);
  await createSource(t.db, own, {
    type: "substack",
    name: "Tides",
    feeds: [{ externalKey: "https://tides.substack.example" }],
  });
  const { items } = await preview(file(feed("https://tides.substack.example/feed")), own);
  expect(items[0]?.status).toBe("duplicate");
  expect(await exportOpml(t.db, own)).toContain('xmlUrl="https://tides.substack.example/feed"');
});

describe("an import", () => {
  it("makes a source per feed, keeps folders, and adds nothing when it is repeated", async () => {
    const own = await createCaller(t.db);
    const feeds = [
      { url: "https://one.example/feed", title: "One", groups: ["News", "Local / far"] },
      { url: "https://two.example/feed", title: "  " },
      { url: "https://two.example/feed", title: "Again" },
      { url: "https://key.example/?token=hunter2", title: "Three" },
      { url: "mailto:x@example.org" },
      { url: "https://nul.example/\0" },
      { url: "https://%zz@broken.example/", title: "a\0\ud800", groups: ["\0", "x\0"] },
    ];
    const { results, created } = await importOpml(t.db, own, { feeds });
    expect(results.map((result) => result.outcome)).toEqual([
      "created",
      "created",
      "duplicate",
      "created",
      "invalid",
      "invalid",
      "created",
    ]);
    expect(created).toBe(4);
    const again = await importOpml(t.db, own, { feeds });
    expect(again.created).toBe(0);
    const stored = await t.db.feed.findMany({
      where: { workspaceId: own.workspaceId },
      include: { source: true },
      orderBy: { id: "asc" },
    });
    expect(stored.map((row) => row.source.name)).toEqual(["One", "two.example", "Three", "a\ufffd"]);
    expect(stored[0]?.config).toEqual({ group: "News / Local / far", groups: ["News", "Local / far"] });
    expect(stored.every((row) => row.nextSyncAt !== null)).toBe(true);
    expect(JSON.stringify([results, stored])).not.toContain("hunter2");
  });

  it("done twice at the same time makes each feed once", async () => {
    const own = await createCaller(t.db);
    const feeds = Array.from({ length: 5 }, (_, i) => ({ url: `https://race.example/${i}` }));
    await Promise.all([importOpml(t.db, own, { feeds }), importOpml(t.db, own, { feeds })]);
    expect(await t.db.feed.count({ where: { workspaceId: own.workspaceId } })).toBe(5);
    expect(await t.db.source.count({ where: { workspaceId: own.workspaceId } })).toBe(5);
  });
});

describe("an export", () => {
  it("comes back as it was, but for secrets, which are marked", async () => {
    const own = await createCaller(t.db);
    await importOpml(t.db, own, {
      feeds: [
        { url: "https://one.example/feed?a=1&b=2", title: 'Tom & "Jerry" <x>', groups: ["A/B", "C"] },
        { url: "https://user:pw@two.example/feed?key=hunter2", title: "Two" },
      ],
    });
    const xml = await exportOpml(t.db, own);
    expect(xml).not.toMatch(/hunter2|pw@/);
    expect(xml).toMatch(/text="Two".*key=\*\*\*" tidemark:masked="true"/);
    const { outlines } = parse(xml);
    expect(outlines).toContainEqual({
      url: "https://one.example/feed?a=1&b=2",
      title: 'Tom & "Jerry" <x>',
      groups: ["A/B", "C"],
    });
    const elsewhere = await createCaller(t.db);
    const { counts } = await preview(xml, elsewhere);
    expect(counts).toEqual({ new: 1, duplicate: 0, invalid: 1 });
  });
});
