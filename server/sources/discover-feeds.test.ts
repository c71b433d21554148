import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { checkConnection } from "./check-connection";
import { discoverFeeds } from "./discover-feeds";

// Read at the first env(): the upstream of these tests is this very machine.
process.env.TIDEMARK_ALLOW_PRIVATE_NETWORKS = "127.0.0.1/32";

let upstream: Server;
let origin: string;

const RSS = `<rss version="2.0"><channel><title>Tides</title><link>https://example.org</link><description>Daily</description>
  <item><guid isPermaLink="false">1</guid><title>Ebb</title></item></channel></rss>`;
const PAGES: Record<string, [status: number, type: string, body: string]> = {
  "/": [
    200,
    "text/html",
    '<html><head><link rel="alternate" type="application/rss+xml" title="Tides" href="/tides-41.xml"></head></html>',
  ],
  "/plain": [200, "text/html", "<html><head><title>No feed here</title></head><body>Hello</body></html>"],
  "/tides-41.xml": [200, "application/rss+xml", RSS],
  "/broken.xml": [200, "application/rss+xml", "<rss><channel><item>"],
};

beforeAll(async () => {
  upstream = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://localhost");
    if (pathname === "/private.xml" && request.headers.authorization !== `Basic ${btoa("ada:secret")}`) {
      response.writeHead(401).end();
      return;
    }
    const [status, type, body] =
      PAGES[pathname] ?? (pathname === "/private.xml" ? [200, "text/xml", RSS] : [404, "text/plain", "no"]);
    response.writeHead(status, { "content-type": type }).end(body);
  });
  await new Promise<void>((listening) => upstream.listen(0, "127.0.0.1", listening));
  origin = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`;
});
afterAll(async () => {
  upstream.closeAllConnections();
  await new Promise((closed) => upstream.close(closed));
});

const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: unknown) => error,
  );

describe("discovery", () => {
  it("finds the feed of a site", async () => {
    const { feeds } = await discoverFeeds({ type: "rss", input: `${origin}/` });
    expect(feeds).toMatchObject([{ externalKey: `${origin}/tides-41.xml`, name: "Tides" }]);
  });

  it("says what is wrong with a site that has none, a bad address and a refused one", async () => {
    const cases = [
      [`${origin}/plain`, "not_a_feed"],
      ["http://10.1.2.3/feed", "blocked_address"],
      ["http://[::1]:1/", "blocked_address"],
      ["http://", "invalid_url"],
    ] as const;
    for (const [input, upstreamCode] of cases) {
      const failure = await failureOf(discoverFeeds({ type: "rss", input }));
      expect(failure, input).toMatchObject({ code: "upstream_failed", info: { extra: { upstreamCode } } });
    }
  });

  it("refuses types and configs it does not know, with paths", async () => {
    expect(await failureOf(discoverFeeds({ type: "fax", input: "x" }))).toMatchObject({
      code: "invalid_request",
      info: { fields: [{ path: "type" }] },
    });
    expect(await failureOf(discoverFeeds({ type: "api", input: "x" }))).toMatchObject({
      code: "invalid_request",
      info: { fields: [{ path: "type" }] },
    });
    expect(
      await failureOf(discoverFeeds({ type: "rss", input: "x", config: { archivePages: "many" } })),
    ).toMatchObject({
      code: "invalid_request",
      info: { fields: [{ path: "config.archivePages" }] },
    });
  });
});

describe("the connection test", () => {
  it("reads a feed, with credentials where it wants them", async () => {
    expect(await checkConnection({ type: "rss", externalKey: `${origin}/tides-41.xml` })).toMatchObject({
      ok: true,
      feedTitle: "Tides",
      documents: 1,
    });
    const externalKey = `${origin}/private.xml`;
    expect(await failureOf(checkConnection({ type: "rss", externalKey }))).toMatchObject({
      code: "upstream_failed",
      info: { extra: { upstreamCode: "unauthorized", upstreamStatus: 401 } },
    });
    const credentials = { type: "basic" as const, username: "ada", password: "secret" };
    expect(await checkConnection({ type: "rss", externalKey, credentials })).toMatchObject({ ok: true });
  });

  it("tells a page from a feed, and a broken feed from both", async () => {
    expect(await failureOf(checkConnection({ type: "rss", externalKey: `${origin}/plain` }))).toMatchObject({
      info: { extra: { upstreamCode: "not_a_feed" } },
    });
    const broken = await failureOf(
      checkConnection({ type: "rss", externalKey: `${origin}/nothing?key=s3cr3t-value` }),
    );
    expect(broken).toMatchObject({ code: "upstream_failed", info: { extra: { upstreamCode: "not_found" } } });
    expect(JSON.stringify([broken, (broken as Error).message])).not.toContain("s3cr3t-value");
  });
});
