/** Feeds built in code, for tests: each test shows what its feed has and nothing else. */

export type FakeItem = {
  guid?: string;
  link?: string;
  title?: string;
  date?: string;
  body?: string;
  /** More elements, as XML. */
  extra?: string;
};

/** RSS 2.0 around the given items; `extra` goes into the channel. */
export function rssXml(items: FakeItem[], extra = ""): string {
  return `<?xml version="1.0" encoding="utf-8"?>
<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom" xmlns:content="http://purl.org/rss/1.0/modules/content/"
  xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:sy="http://purl.org/rss/1.0/modules/syndication/"
  xmlns:media="http://search.yahoo.com/mrss/">
<channel><title>Tides</title><link>https://tides.example/</link>${extra}
${items.map(itemXml).join("\n")}
</channel></rss>`;
}

function itemXml({ guid, link, title, date, body, extra }: FakeItem): string {
  const element = (name: string, value: string | undefined) =>
    value === undefined ? "" : `<${name}>${value}</${name}>`;
  return `<item>${element("guid", guid)}${element("link", link)}${element("title", title)}${element("pubDate", date)}${element("description", body)}${extra ?? ""}</item>`;
}

/** Atom around the given entries, as XML. */
export function atomXml(entries: string, extra = ""): string {
  return `<feed xmlns="http://www.w3.org/2005/Atom" xmlns:at="http://purl.org/atompub/tombstones/1.0"
  xmlns:fh="http://purl.org/syndication/history/1.0"><title>Tides</title><id>urn:tides</id>${extra}${entries}</feed>`;
}

/** `count` dated items, newest first. */
export function datedItems(count: number, prefix = "urn:item:"): FakeItem[] {
  return Array.from({ length: count }, (_, i) => ({
    guid: `${prefix}${count - i}`,
    title: `Item ${count - i}`,
    date: new Date(Date.UTC(2026, 0, 1 + count - i)).toUTCString(),
    body: `Text of ${count - i}`,
  }));
}
