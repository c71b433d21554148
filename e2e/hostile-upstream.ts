import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";

/** Markup that shows itself by setting `window.hacked`; `mark` says which one it was. */
function attack(mark: string): string {
  return (
    `</title></script><script>window.hacked="${mark}"</script><img src=x onerror="window.hacked='${mark}'">` +
    `<svg onload="window.hacked='${mark}'"></svg><a href="javascript:window.hacked='${mark}'">${mark}</a>` +
    `<iframe srcdoc="<script>parent.hacked='${mark}'</script>"></iframe><base href="https://evil.invalid/">`
  );
}

/** A site whose every word is hostile: its feed's, its pages', its errors'. */
export class HostileUpstream {
  private server: Server | undefined;

  get url(): string {
    if (!this.server) throw new Error("the upstream was not started");
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async start(): Promise<void> {
    this.server = createServer((request, response) => {
      const path = new URL(request.url ?? "/", "http://upstream.invalid").pathname;
      if (path === "/feed.xml") {
        response.setHeader("content-type", "application/rss+xml").end(this.feed());
      } else if (path === "/") {
        response
          .setHeader("content-type", "text/html")
          .end(
            `<!doctype html><title>${attack("site")}</title><link rel="alternate" type="application/rss+xml" title="${escapeXml(attack("link"))}" href="${this.url}/feed.xml">`,
          );
      } else {
        response.statusCode = 500;
        response.setHeader("content-type", "text/html").end(attack("error"));
      }
    });
    await new Promise<void>((resolve) => this.server?.listen(0, "127.0.0.1", resolve));
  }

  async stop(): Promise<void> {
    this.server?.closeAllConnections();
    await new Promise((resolve) => this.server?.close(resolve));
  }

  opml(): string {
    return `<opml version="2.0"><head><title>${escapeXml(attack("opml"))}</title></head><body>
      <outline text="${escapeXml(attack("group"))}">
        <outline type="rss" text="${escapeXml(attack("outline"))}" xmlUrl="${this.url}/other.xml"/>
        <outline type="rss" text="${escapeXml(attack("bad"))}" xmlUrl="javascript:window.hacked='xmlUrl'"/>
      </outline></body></opml>`;
  }

  private feed(): string {
    return `<?xml version="1.0"?><rss version="2.0" xmlns:dc="http://purl.org/dc/elements/1.1/"><channel>
      <title>${escapeXml(attack("channel"))}</title><link>javascript:window.hacked='channel'</link>
      <description>${escapeXml(attack("description"))}</description>
      <item><guid isPermaLink="false">${escapeXml(attack("guid"))}</guid><title>${escapeXml(attack("title"))}</title>
        <link>javascript:window.hacked='item'</link><dc:creator>${escapeXml(attack("author"))}</dc:creator>
        <category>${escapeXml(attack("category"))}</category>
        <description>${escapeXml(`<p>What is left</p>${attack("content")}<form action="https://evil.invalid"><button>go</button></form><style>*{display:none}</style>`)}</description>
        <enclosure url="javascript:window.hacked='enclosure'" type="audio/mpeg" length="1"/></item>
      </channel></rss>`;
  }
}

function escapeXml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
