import type { RequestListener } from "node:http";
import { describe, expect, it } from "vitest";
import type { GuardedFetch } from "@/sdk/adapter";
import { createGuardedFetch } from "../http";
import { LOOPBACK, startUpstream } from "../testing/upstream";
import { rss } from ".";
import { discoverFeeds } from "./discover";
import { findFeedLinks } from "./find-feed-links";
import { datedItems, rssXml } from "./fixtures";

const guarded = createGuardedFetch({ allowPrivateNetworks: LOOPBACK });
const context = (fetch: GuardedFetch) => ({
  config: { archivePages: 50 },
  credentials: { type: "none" as const },
  fetch,
  signal: new AbortController().signal,
  log: { info() {}, warn() {} },
  now: () => new Date(),
});
const discover = (input: string | null, fetch: GuardedFetch = guarded) =>
  discoverFeeds({ ...context(fetch), input });

const FEED = rssXml(datedItems(5));

const serve =
  (pages: Record<string, string>): RequestListener =>
  (req, res) => {
    const body = pages[req.url ?? ""];
    if (body === undefined) res.writeHead(404).end("nothing");
    else res.end(body);
  };

describe("discover", () => {
  it("takes the address of a feed as it is", async () => {
    const upstream = await startUpstream(serve({ "/any?x=1": FEED }));

    await expect(discover(`${upstream.origin}/any?x=1`)).resolves.toEqual([
      {
        externalKey: `${upstream.origin}/any?x=1`,
        name: "Tides",
        sampleTitles: ["Item 5", "Item 4", "Item 3"],
      },
    ]);
  });

  it("lists the feeds a page announces that really are feeds", async () => {
    const page = `<base href="/blog/"><link rel="ALTERNATE home" type="application/rss+xml; charset=utf-8" href="feed" title="Posts">
      <link rel=alternate type=application/atom+xml href="/dead">
      <link rel=alternate type=application/rss+xml href="/blog/comments/feed" title="Comments">
      <link rel=alternate type=application/json href="/wp-json">`;
    const upstream = await startUpstream(
      serve({ "/": page, "/blog/feed": FEED, "/blog/comments/feed": FEED, "/wp-json": '{"name":"api"}' }),
    );

    const feeds = await discover(upstream.origin);

    expect(feeds.map((feed) => feed.externalKey)).toEqual([`${upstream.origin}/blog/feed`]);
  });

  it.each([
    ["/", "/feed.xml"],
    ["/blog", "/blog/feed"],
    ["/blog/", "/blog/rss.xml"],
    ["/blog/post.html", "/index.xml"],
  ])("for the page %s looks in the usual places and finds %s", async (page, place) => {
    const upstream = await startUpstream(serve({ [page]: "<html><p>no links", [place]: FEED }));

    const feeds = await discover(`${upstream.origin}${page}`);

    expect(feeds.map((feed) => feed.externalKey)).toEqual([`${upstream.origin}${place}`]);
  });

  it("says in words that a site has no feed", async () => {
    const upstream = await startUpstream(serve({ "/": "<!doctype html><title>Nothing</title>" }));

    const error = await discover(upstream.origin).catch((e) => e);

    expect(error).toMatchObject({ code: "not_a_feed" });
    expect(error.message).toMatch(/announces no feed.*enter that/);
  });

  it("reports what stands in the way: a password, a missing page, no input", async () => {
    const upstream = await startUpstream((req, res) =>
      res.writeHead(req.url === "/locked" ? 401 : 404).end(),
    );

    await expect(discover(`${upstream.origin}/locked`)).rejects.toMatchObject({ code: "unauthorized" });
    await expect(discover(`${upstream.origin}/lost`)).rejects.toMatchObject({ code: "not_found" });
    await expect(discover("  ")).rejects.toMatchObject({ code: "invalid_url" });
    await expect(discover(null)).rejects.toMatchObject({ code: "invalid_url" });
    await expect(discover("not a site")).rejects.toMatchObject({ code: "invalid_url" });
    await expect(discover("javascript:alert(1)")).rejects.toMatchObject({ code: "invalid_url" });
  });

  it("tries https first and http next when no scheme was typed", async () => {
    const upstream = await startUpstream(serve({ "/feed": FEED }));
    const tried: string[] = [];
    const watching: GuardedFetch = (url, init) => {
      tried.push(String(url));
      return guarded(url, init);
    };
    const bare = upstream.origin.replace("http://", "");

    const feeds = await discover(` feed://${bare}/feed`, watching);

    expect(tried).toEqual([`https://${bare}/feed`, `http://${bare}/feed`]);
    expect(feeds[0]?.externalKey).toBe(`http://${bare}/feed`);
  });

  it("keeps user name and password for feeds of the same origin", async () => {
    const upstream = await startUpstream(
      serve({ "/": "<link rel=alternate type=application/rss+xml href=/feed>", "/feed": FEED }),
    );
    const withUser = upstream.origin.replace("//", "//jo:pass@");

    await expect(discover(withUser)).resolves.toMatchObject([{ externalKey: `${withUser}/feed` }]);
    expect(upstream.requests[1]?.headers.authorization).toMatch(/^Basic /);
  });

  it("stops looking around when the site stops answering", async () => {
    const upstream = await startUpstream((req, res) => {
      if (req.url === "/") res.end("<html>");
      else req.socket.destroy();
    });

    await expect(discover(upstream.origin)).rejects.toMatchObject({ code: "not_a_feed" });
    expect(upstream.requests.length).toBeLessThan(4);
  });
});

describe("checkConnection", () => {
  const check = (url: string) =>
    rss.checkConnection?.({
      ...context(guarded),
      feed: { id: "", externalKey: url, url, name: null, config: {}, state: null },
    });

  it("tells what it read, and masks where it came from", async () => {
    const upstream = await startUpstream(serve({ "/feed?key=abcd": FEED }));

    await expect(check(`${upstream.origin}/feed?key=abcd`)).resolves.toEqual({
      ok: true,
      message: "“Tides” can be read: 5 entries at the moment.",
      feedTitle: "Tides",
      documents: 5,
      finalUrl: `${upstream.origin}/feed?key=***`,
    });
  });

  it("refuses a page", async () => {
    const upstream = await startUpstream(serve({ "/": "<html><title>Home</title>" }));

    await expect(check(upstream.origin)).rejects.toMatchObject({ code: "not_a_feed" });
  });
});

it("finds links in order, each once, and follows only the first base", () => {
  const html = `<base href="https://cdn.example/a/"><base href="/b/">
    <link rel="alternate" type="application/feed+json" href="feed.json"><link rel="alternate" type="text/html" href="x">
    <link rel="alternate" type="application/atom+xml" href="../atom.xml?a=1&amp;b=2"><link rel="alternate stylesheet" type="text/xml" href="s">
    <link rel="alternate" type="application/feed+json" href="feed.json"><!-- <link rel="alternate" type="application/rss+xml" href="no"> -->`;

  expect(findFeedLinks(html, "https://site.example/").map((found) => found.url)).toEqual([
    "https://cdn.example/a/feed.json",
    "https://cdn.example/atom.xml?a=1&b=2",
  ]);
});
