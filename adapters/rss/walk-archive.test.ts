import type { RequestListener } from "node:http";
import { describe, expect, it } from "vitest";
import { createGuardedFetch } from "../http";
import { describeAdapterContract } from "../testing/contract";
import { emptyMemory, liveIds, runSync, type SyncSetup } from "../testing/run-sync";
import { LOOPBACK, startUpstream } from "../testing/upstream";
import { rss } from ".";
import { atomXml, datedItems, rssXml } from "./fixtures";

const fetch = createGuardedFetch({ allowPrivateNetworks: LOOPBACK });
const sync = (url: string, memory = emptyMemory(), more: Partial<SyncSetup> = {}) =>
  runSync(rss, { fetch, feed: { url }, ...more }, memory);

const entry = (n: number, text = `text ${n}`) =>
  `<entry><id>urn:${n}</id><title>${text}</title><updated>2026-01-0${n}T00:00:00Z</updated></entry>`;
const link = (rel: string, href: string) => `<link rel="${rel}" href="${href}"/>`;

/** /feed → /archive/2 → /archive/1; entry 2 changed after it was archived. */
const ARCHIVED: Record<string, string> = {
  "/feed": atomXml(
    entry(4) + entry(3) + entry(2, "newer text"),
    link("prev-archive", "/archive/2") + link("next", "/not-this"),
  ),
  "/archive/2": atomXml(entry(3) + entry(2), link("prev-archive", "1")),
  "/archive/1": atomXml(entry(1), link("next-archive", "2")),
};

const serve =
  (pages: Record<string, string>): RequestListener =>
  (req, res) => {
    const body = pages[req.url ?? ""];
    if (body === undefined) res.writeHead(404).end();
    else if (req.headers["if-none-match"] === '"1"') res.writeHead(304).end();
    else res.writeHead(200, { etag: '"1"' }).end(body);
  };

describe("older pages on the first sync", () => {
  it("reads archives from new to old, once, and sends position and state with the last page only", async () => {
    const upstream = await startUpstream(serve(ARCHIVED));
    const memory = emptyMemory();
    const { pages } = await sync(`${upstream.origin}/feed`, memory);

    expect(pages.map((page) => page.documents.map((d) => d.id))).toEqual([
      ["urn:4", "urn:3", "urn:2"],
      ["urn:1"],
      [],
    ]);
    expect(pages.map((page) => page.cursor !== undefined)).toEqual([false, false, true]);
    expect(memory.documents.get("urn:2")?.title).toBe("newer text");

    await sync(`${upstream.origin}/feed`, memory);
    expect(upstream.requests.map((r) => r.path)).toEqual(["/feed", "/archive/2", "/archive/1", "/feed"]);
    expect(upstream.requests.at(-1)?.headers["if-none-match"]).toBe('"1"');
  });

  it("repeats the walk after a crash, without validators that would hide it", async () => {
    const upstream = await startUpstream(serve(ARCHIVED));
    const memory = emptyMemory();
    await sync(`${upstream.origin}/feed`, memory, { crashAfterPages: 1 });
    expect(memory.cursor).toEqual({ type: "none" });

    await sync(`${upstream.origin}/feed`, memory);

    expect(liveIds(memory).sort()).toEqual(["urn:1", "urn:2", "urn:3", "urn:4"]);
  });

  it.each([
    [
      "next in RSS",
      rssXml(datedItems(1, "a:"), '<atom:link rel="next" href="/older"/>'),
      rssXml(datedItems(1, "b:")),
    ],
    ["next_url in JSON Feed", jsonFeed("a:1", "/older"), jsonFeed("b:1", undefined)],
  ])("follows %s", async (_, head, older) => {
    const upstream = await startUpstream(serve({ "/feed": head, "/older": older }));
    const memory = emptyMemory();
    await sync(`${upstream.origin}/feed`, memory);

    expect(liveIds(memory)).toEqual(["a:1", "b:1"]);
  });

  it("ends a chain that leads back, also when it does so under new addresses", async () => {
    const upstream = await startUpstream((req, res) => {
      const page = Number(new URL(req.url ?? "", "http://x").searchParams.get("page") ?? 1);
      // Real servers answer pages past the end with the last one.
      res.end(
        jsonFeed(
          `item:${Math.min(page, 3)}`,
          req.url?.startsWith("/loop") ? "/loop" : `/feed?page=${page + 1}`,
        ),
      );
    });
    const memory = emptyMemory();
    await sync(`${upstream.origin}/feed`, memory);
    await sync(`${upstream.origin}/loop`);

    expect(liveIds(memory)).toEqual(["item:1", "item:2", "item:3"]);
    expect(upstream.requests.map((r) => r.path)).toEqual([
      "/feed",
      "/feed?page=2",
      "/feed?page=3",
      "/feed?page=4",
      "/loop",
    ]);
  });

  it("stops at the configured number of pages and at other hosts, saying so", async () => {
    const upstream = await startUpstream((req, res) => {
      const n = Number(/\d+$/.exec(req.url ?? "")?.[0] ?? 0);
      res.end(
        jsonFeed(
          `item:${n}`,
          req.url === "/elsewhere" ? "https://elsewhere.example/older" : `/feed/${n + 1}`,
        ),
      );
    });

    const cut = await sync(`${upstream.origin}/feed`, emptyMemory(), { config: { archivePages: 3 } });
    const none = await sync(`${upstream.origin}/feed`, emptyMemory(), { config: { archivePages: 0 } });
    const elsewhere = await sync(`${upstream.origin}/elsewhere`);

    expect(cut.warnings).toEqual(["archive_cut"]);
    expect(cut.pages.flatMap((p) => p.documents)).toHaveLength(4);
    expect(none.pages).toHaveLength(1);
    expect(elsewhere.warnings).toEqual(["archive_elsewhere"]);
  });

  it("ends with a warning at a page that is gone, and tries a passing failure three times", async () => {
    const upstream = await startUpstream((req, res) => {
      if (req.url === "/feed") res.end(jsonFeed("a", "/gone"));
      else if (req.url === "/feed2") res.end(jsonFeed("a", "/broken"));
      else res.writeHead(req.url === "/gone" ? 404 : 500).end();
    });
    const gone = await sync(`${upstream.origin}/feed`);
    const memory = emptyMemory();
    const outcomes: string[] = [];
    for (let i = 0; i < 4; i++) {
      await sync(`${upstream.origin}/feed2`, memory).then(
        (record) => outcomes.push(record.warnings.join()),
        (error) => outcomes.push(error.code),
      );
    }

    expect(gone.warnings).toEqual(["archive_unreadable"]);
    expect(gone.pages.at(-1)?.cursor).toBeDefined();
    expect(outcomes).toEqual(["unavailable", "unavailable", "archive_unreadable", ""]);
  });
});

function jsonFeed(id: string, next: string | undefined): string {
  const items = [{ id, content_text: id, date_published: "2026-01-01T00:00:00Z" }];
  return JSON.stringify({ version: "https://jsonfeed.org/version/1.1", title: "T", items, next_url: next });
}

describeAdapterContract(rss, {
  feed: { url: "https://tides.example/feed" },
  fetch: async (url) => ({
    status: ARCHIVED[new URL(url).pathname] ? 200 : 404,
    headers: { etag: '"1"' },
    body: new TextEncoder().encode(ARCHIVED[new URL(url).pathname] ?? ""),
    url: String(url),
    movedPermanently: false,
  }),
  externalIds: ["urn:1", "urn:2", "urn:3", "urn:4"],
});
