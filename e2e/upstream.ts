import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";

export type Item = { id: string; title: string; html: string; date?: string };

/**
 * A small site of our own: a page that names its feed, and the feed. What it answers can change while
 * a story runs.
 */
export class Upstream {
  items: Item[] = [];
  title = "Tide tables";
  /** Answer the feed with this status instead. */
  failWith: { status: number; body: string } | null = null;
  requests: string[] = [];
  private server: Server | undefined;

  get url(): string {
    if (!this.server) throw new Error("the upstream was not started");
    const { port } = this.server.address() as AddressInfo;
    return `http://127.0.0.1:${port}`;
  }

  async start(): Promise<void> {
    this.server = createServer((request, response) => {
      const path = new URL(request.url ?? "/", "http://upstream.invalid").pathname;
      this.requests.push(path);
      if (path === "/") {
        response.setHeader("content-type", "text/html; charset=utf-8");
        response.end(
          `<!doctype html><title>${this.title}</title>
           <link rel="alternate" type="application/rss+xml" title="${this.title}" href="/feed.xml"><h1>Tides</h1>`,
        );
        return;
      }
      if (path !== "/feed.xml") {
        response.statusCode = 404;
        response.end("no such page");
        return;
      }
      if (this.failWith) {
        response.statusCode = this.failWith.status;
        response.setHeader("content-type", "text/html");
        response.end(this.failWith.body);
        return;
      }
      response.setHeader("content-type", "application/rss+xml; charset=utf-8");
      response.end(this.rss());
    });
    await new Promise<void>((resolve) => this.server?.listen(0, "127.0.0.1", resolve));
  }

  async stop(): Promise<void> {
    this.server?.closeAllConnections();
    await new Promise((resolve) => this.server?.close(resolve));
  }

  private rss(): string {
    const items = this.items.map(
      (item) => `<item><guid isPermaLink="false">${item.id}</guid><title>${escapeXml(item.title)}</title>
        <link>${this.url}/items/${item.id}</link><description>${escapeXml(item.html)}</description>
        <pubDate>${new Date(item.date ?? "2026-06-14T09:00:00Z").toUTCString()}</pubDate></item>`,
    );
    return `<?xml version="1.0" encoding="utf-8"?><rss version="2.0"><channel><title>${escapeXml(this.title)}</title>
      <link>${this.url}/</link><description>High and low water</description>${items.join("")}</channel></rss>`;
  }
}

function escapeXml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
