import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";

const KEEPER = { username: "keeper", password: "lamp oil" };
const BASIC = `Basic ${Buffer.from(`${KEEPER.username}:${KEEPER.password}`).toString("base64")}`;
const RSS = `<?xml version="1.0"?><rss version="2.0"><channel><title>Keeper's log</title><link>http://x.invalid/</link>
  <description>d</description><item><guid isPermaLink="false">1</guid><title>Lamp lit</title></item></channel></rss>`;

/** A site whose feed wants a user name and a password. */
export class PrivateSite {
  readonly keeper = KEEPER;
  private server: Server | undefined;

  get feedUrl(): string {
    if (!this.server) throw new Error("the site was not started");
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/log.xml`;
  }

  async start(): Promise<void> {
    this.server = createServer((request, response) => {
      if (request.headers.authorization === BASIC) {
        response.writeHead(200, { "Content-Type": "application/rss+xml" }).end(RSS);
      } else {
        response
          .writeHead(401, { "WWW-Authenticate": 'Basic realm="log"', "Content-Type": "text/plain" })
          .end("Keepers only");
      }
    });
    await new Promise<void>((resolve) => this.server?.listen(0, "127.0.0.1", resolve));
  }

  async stop(): Promise<void> {
    this.server?.closeAllConnections();
    await new Promise((resolve) => this.server?.close(resolve));
  }
}
