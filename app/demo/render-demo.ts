import { channels } from "./demo-channels";
import type { DemoChannel, DemoItem } from "./demo-items";

/** The demo's items in the formats of the wild. */
type Rendered = { body: string; contentType: string };

export function renderRss(channel: DemoChannel, items: DemoItem[], origin: string): Rendered {
  const entries = items.map(
    (item) => `
    <item>
      <title>${escapeXml(item.title)}</title>
      <link>${item.url}</link>
      <guid isPermaLink="false">${item.id}</guid>
      <pubDate>${item.published.toUTCString()}</pubDate>
      <dc:creator>${escapeXml(item.author)}</dc:creator>
      <description>${escapeXml(item.html)}</description>
    </item>`,
  );
  return {
    contentType: "application/rss+xml; charset=utf-8",
    body: `<?xml version="1.0" encoding="utf-8"?>
<rss version="2.0" xmlns:dc="http://purl.org/dc/elements/1.1/">
  <channel>
    <title>${escapeXml(channel.title)}</title>
    <link>${origin}/demo</link>
    <description>${escapeXml(channel.description)}</description>
    <ttl>5</ttl>${entries.join("")}
  </channel>
</rss>
`,
  };
}

export function renderAtom(channel: DemoChannel, items: DemoItem[], origin: string): Rendered {
  const entries = items.map(
    (item) => `
  <entry>
    <id>${item.id}</id>
    <title>${escapeXml(item.title)}</title>
    <link href="${item.url}"/>
    <published>${item.published.toISOString()}</published>
    <updated>${item.updated.toISOString()}</updated>
    <content type="html">${escapeXml(item.html)}</content>
  </entry>`,
  );
  const updated = new Date(Math.max(0, ...items.map((item) => item.updated.getTime())));
  return {
    contentType: "application/atom+xml; charset=utf-8",
    body: `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
  <id>${origin}/demo/${channel.slug}</id>
  <title>${escapeXml(channel.title)}</title>
  <subtitle>${escapeXml(channel.description)}</subtitle>
  <author><name>${escapeXml(channel.author)}</name></author>
  <link rel="alternate" href="${origin}/demo"/>
  <updated>${updated.toISOString()}</updated>${entries.join("")}
</feed>
`,
  };
}

export function renderJsonFeed(channel: DemoChannel, items: DemoItem[], origin: string): Rendered {
  return {
    contentType: "application/feed+json; charset=utf-8",
    body: JSON.stringify({
      version: "https://jsonfeed.org/version/1.1",
      title: channel.title,
      description: channel.description,
      home_page_url: `${origin}/demo`,
      authors: [{ name: channel.author }],
      items: items.map((item) => ({
        id: item.id,
        url: item.url,
        title: item.title,
        content_html: item.html,
        date_published: item.published.toISOString(),
        date_modified: item.updated.toISOString(),
      })),
    }),
  };
}

/** The site behind the feeds: its address can be added as a source, the feeds are discovered. */
export function renderSite(): Rendered {
  const links = FEED_LINKS.map(
    (link) => `<link rel="alternate" type="${link.type}" title="${link.title}" href="/demo/${link.file}">`,
  );
  const list = channels.map((channel) => `<li>${channel.title}: ${channel.description}</li>`);
  return page(
    "Demo Harbour",
    `<p>A site for trying Tidemark out.</p><ul>${list.join("")}</ul>`,
    links.join("\n"),
  );
}

export function renderItem(item: DemoItem): Rendered {
  return page(
    escapeXml(item.title),
    `${item.html}<p>${escapeXml(item.author)}, ${item.published.toUTCString()}</p>`,
  );
}

const FEED_LINKS = [
  { file: "harbour.xml", type: "application/rss+xml", title: "Harbour Notes" },
  { file: "lighthouse.atom", type: "application/atom+xml", title: "Lighthouse Log" },
  { file: "tides.json", type: "application/feed+json", title: "Tide Tables" },
];

function page(title: string, content: string, head = ""): Rendered {
  return {
    contentType: "text/html; charset=utf-8",
    body: `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>${title}</title>${head}</head>
<body><h1>${title}</h1>${content}</body>
</html>
`,
  };
}

function escapeXml(text: string): string {
  return text.replace(
    /[&<>"]/g,
    (character) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[character] ?? "",
  );
}
