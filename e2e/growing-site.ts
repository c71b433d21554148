import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";

/** A site that opens new feeds: its page announces those in `sections`, in this order. */
export class GrowingSite {
  sections: string[] = [];
  /** Answer the page with this status instead. */
  failWith: number | null = null;
  private server: Server | undefined;

  get url(): string {
    if (!this.server) throw new Error("the site was not started");
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  feedUrl(section: string): string {
    return `${this.url}/${section.toLowerCase()}.xml`;
  }

  async start(): Promise<void> {
    this.server = createServer((request, response) => {
      const path = request.url ?? "/";
      const section = this.sections.find((name) => path === `/${name.toLowerCase()}.xml`);
      if (path === "/" && this.failWith !== null) {
        response.writeHead(this.failWith, { "content-type": "text/plain" }).end("down for maintenance");
      } else if (path === "/") {
        const links = this.sections.map(
          (name) =>
            `<link rel="alternate" type="application/rss+xml" title="${name}" href="/${name.toLowerCase()}.xml">`,
        );
        response
          .setHeader("content-type", "text/html")
          .end(`<!doctype html><title>Harbour</title>${links.join("")}`);
      } else if (section) {
        response.setHeader("content-type", "application/rss+xml").end(
          `<rss version="2.0"><channel><title>${section}</title><link>${this.url}/</link><description>d</description>
           <item><guid isPermaLink="false">${section}-1</guid><title>${section}, first notice</title></item></channel></rss>`,
        );
      } else response.writeHead(404).end("no such page");
    });
    await new Promise<void>((resolve) => this.server?.listen(0, "127.0.0.1", resolve));
  }

  async stop(): Promise<void> {
    this.server?.closeAllConnections();
    await new Promise((resolve) => this.server?.close(resolve));
  }
}
