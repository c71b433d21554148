import { describe, expect, it } from "vitest";
import { datedItems, type FakeItem, rssXml } from "./fixtures";
import { foldKey, identifyItems } from "./identify";
import { parseFeed } from "./parse-feed";

const identify = (items: FakeItem[], repeated: string[] = []) => {
  const bytes = new TextEncoder().encode(rssXml(items));
  return identifyItems(parseFeed(bytes, undefined, "https://tides.example/feed").items, repeated);
};
const ids = (items: FakeItem[], repeated: string[] = []) =>
  identify(items, repeated).items.map((i) => i.externalId);

describe("F11: the scheme of URL-shaped ids", () => {
  it("does not count: the same twenty items under http and https have the same keys", () => {
    const keys = (scheme: string) =>
      identify(datedItems(20, `${scheme}://tides.example/?p=`)).items.map((i) => i.key);

    expect(keys("http")).toEqual(keys("https"));
    expect(identify([{ guid: "http://tides.example/1" }]).items[0]?.externalId).toBe(
      "http://tides.example/1",
    );
  });

  it("is all that does not count", () => {
    const distinct = [
      "http://x.example/a", "http://x.example/A", "http://X.example/a", "http://x.example/%61", "http://x.example/a/",
      "tag:x.example,2026:a", "urn:http://x.example/a",
    ]; // biome-ignore format: one list

    expect(new Set(distinct.map(foldKey)).size).toBe(distinct.length);
    expect(foldKey("HTTP://x.example/a")).toBe("https://x.example/a");
  });
});

describe("items without an id", () => {
  it("take their link, else their enclosure, else a hash of what they say", () => {
    const items: FakeItem[] = [
      { link: "http://tides.example/a", title: "A" },
      { title: "B", extra: '<enclosure url="http://tides.example/b.mp3"/>' },
      { title: "C", date: "Thu, 05 Mar 2026 10:00:00 GMT", body: "text" },
      { body: "only text" },
    ];
    const first = ids(items);

    expect(first.slice(0, 2)).toEqual(["http://tides.example/a", "http://tides.example/b.mp3"]);
    expect(first[2]).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect(new Set(first).size).toBe(4);
    expect(ids(items.toReversed())).toEqual(first.toReversed());
  });
});

describe("one id on several items", () => {
  const a = { guid: "same", link: "http://tides.example/a", title: "A" };
  const b = { guid: "same", link: "http://tides.example/b", title: "B" };

  it("is told apart by the link", () => {
    expect(ids([b, a])).toEqual(["same http://tides.example/b", "same http://tides.example/a"]);
    expect(identify([a, b]).items[0]?.key).toBe("same https://tides.example/a");
  });

  it("stays told apart when the window moves on and one is left", () => {
    const { repeated } = identify([b, a]);

    expect(ids([b], repeated)).toEqual(["same http://tides.example/b"]);
    expect(ids([{ guid: "other" }], repeated)).toEqual(["other"]);
  });

  it("is counted from the oldest when the link is the same too", () => {
    const on = (day: number) => ({ ...a, title: `${day}`, date: `Thu, 0${day} Jan 2026 00:00:00 GMT` });

    expect(ids([on(2), on(1)])).toEqual(["same http://tides.example/a 2", "same http://tides.example/a"]);
    expect(ids([on(3), on(1), on(2)])).toEqual([
      "same http://tides.example/a 3",
      "same http://tides.example/a",
      "same http://tides.example/a 2",
    ]);
  });

  it("is one document when the items are the same to the letter", () => {
    expect(ids([a, a, { guid: "x" }])).toEqual(["same", "x"]);
  });

  it("also when only the scheme differs", () => {
    const keys = identify([
      { guid: "http://x.example/1", title: "old" },
      { guid: "https://x.example/1", title: "new" },
    ]).items.map((item) => item.key);

    expect(new Set(keys).size).toBe(2);
  });
});
