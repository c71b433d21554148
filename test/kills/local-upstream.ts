import { createHash } from "node:crypto";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import type { Random } from "./random";

const ITEMS_PER_ARCHIVE = 15;

/**
 * An RSS feed with RFC 5005 archives on a port of its own: what it published is known exactly, so it is
 * the truth that the store is compared with. A little slow, so that walks are caught half-way.
 */
export type LocalUpstream = {
  url: string;
  /** Title by guid of everything that is or was published. */
  truth(): Map<string, string>;
  /** Publishes another item and edits a recent one. */
  publish(): void;
  close(): Promise<void>;
};

type Item = { guid: string; edition: number; at: Date };

export async function startUpstream(
  name: string,
  random: Random,
  { archivePages = 4 } = {},
): Promise<LocalUpstream> {
  let clock = Date.now() - 86_400_000;
  const makeItem = (number: number): Item => {
    clock += 60_000;
    return { guid: `${name}-${number}`, edition: 1, at: new Date(clock) };
  };
  const archives = Array.from({ length: archivePages }, (_, page) =>
    Array.from({ length: ITEMS_PER_ARCHIVE }, (_, index) => makeItem(page * ITEMS_PER_ARCHIVE + index)),
  );
  // What is current stays in the newest document: an item that slid into an archive between two
  // visits could not be seen by anybody.
  const current = Array.from({ length: 5 }, (_, index) => makeItem(1_000 + index));

  const server = createServer(async (request, response) => {
    await delay(random.int(5, 60));
    const page = request.url?.match(/^\/archive\/(\d+)$/)?.[1];
    const items = page === undefined ? current : archives[Number(page)];
    if (!items) return void response.writeHead(404).end();
    const older = page === undefined ? archivePages - 1 : Number(page) - 1;
    send(
      request.headers["if-none-match"],
      response,
      render(name, items, older >= 0 ? `/archive/${older}` : null),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/feed.xml`,
    truth: () => new Map([...archives.flat(), ...current].map((item) => [item.guid, titleOf(item)])),
    publish() {
      current.push(makeItem(1_000 + current.length));
      const edited = current[random.int(0, current.length - 1)];
      if (edited) edited.edition += 1;
    },
    close: () => closeServer(server),
  };
}

function titleOf(item: Item): string {
  return `Item ${item.guid}, edition ${item.edition}`;
}

function render(name: string, items: Item[], older: string | null): string {
  const link = older ? `<atom:link rel="prev-archive" href="${older}"/>` : "";
  const entries = items.map(
    (item) => `<item><guid isPermaLink="false">${item.guid}</guid><title>${titleOf(item)}</title>
      <pubDate>${item.at.toUTCString()}</pubDate><description>About ${item.guid}.</description></item>`,
  );
  return `<?xml version="1.0"?><rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom"><channel>
    <title>${name}</title>${link}${entries.reverse().join("")}</channel></rss>`;
}

function send(known: string | undefined, response: ServerResponse, body: string): void {
  const etag = `"${createHash("sha256").update(body).digest("hex").slice(0, 20)}"`;
  if (known === etag) return void response.writeHead(304, { etag }).end();
  response.writeHead(200, { etag, "content-type": "application/rss+xml" }).end(body);
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
