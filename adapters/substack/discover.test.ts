import { describe, expect, it } from "vitest";
import type { GuardedFetch } from "@/sdk/adapter";
import { rssXml } from "../rss/fixtures";
import { startUpstream } from "../testing/upstream";
import { typedOrigins } from "./addresses";
import { substackConfig } from "./config";
import { checkPublication, discoverPublication } from "./discover";
import { COOKIE, fakeFetch, fakePublication, numberedPosts } from "./fake-publication";

const noWait = async () => {};
const context = (fetch: GuardedFetch = fakeFetch) => ({
  config: substackConfig.parse({}),
  credentials: { type: "none" as const },
  fetch,
  signal: new AbortController().signal,
  log: { info() {}, warn() {} },
  now: () => new Date(),
});
const discover = (input: string | null) => discoverPublication({ ...context(), input }, noWait);
const check = (url: string, token?: string) =>
  checkPublication(
    {
      ...context(),
      credentials: token === undefined ? { type: "none" } : { type: "bearer", token },
      feed: { id: "feed_test", externalKey: url, url, name: null, config: {}, state: null },
    },
    noWait,
  );

describe("typed addresses", () => {
  it.each([
    ["https://ebb.substack.com/p/tides?utm_source=x", ["https://ebb.substack.com"]],
    ["ebb.example/about", ["https://ebb.example", "http://ebb.example"]],
    ["http://ebb.substack.com", ["https://ebb.substack.com"]],
    [" ebb ", ["https://ebb.substack.com"]],
    ["https://open.substack.com/pub/ebb/p/tides?r=1", ["https://ebb.substack.com"]],
    ["https://jo:pass@ebb.example/feed", ["https://ebb.example"]],
  ])("takes %s for %j", (typed, origins) => {
    expect(typedOrigins(typed)).toEqual(origins);
  });

  it.each([
    ["", "Enter the publication's own address"],
    ["https://substack.com/@jo", "a person's profile"],
    ["https://substack.com/home", "a page of Substack itself"],
    ["ftp://ebb.example", "Only http and https"],
    ["not an address", "not a web address"],
  ])("refuses %j in words", (typed, words) => {
    expect(() => typedOrigins(typed)).toThrow(words);
  });
});

describe("discover", () => {
  it("finds a publication by the address of one of its posts, under the origin that answers", async () => {
    const publication = fakePublication(numberedPosts(4));
    publication.intercept = (request, response) => {
      if (request.headers.host?.startsWith("www.")) return false;
      response.writeHead(404).end();
      return true;
    };
    const { origin } = await startUpstream(publication.handle);
    const port = new URL(origin).port;

    await expect(discover(`http://ebb.test:${port}/p/post-3`)).resolves.toEqual([
      {
        externalKey: `http://www.ebb.test:${port}`,
        name: "Tides",
        sampleTitles: ["Post post-4", "Post post-3", "Post post-2"],
      },
    ]);
  });

  it("takes the domain that a publication redirects to", async () => {
    const publication = fakePublication(numberedPosts(1));
    const { origin } = await startUpstream(publication.handle);
    publication.intercept = (request, response) => {
      if (!request.headers.host?.startsWith("old.")) return false;
      response.writeHead(302, { location: origin + request.url }).end();
      return true;
    };

    await expect(discover(origin.replace("127.0.0.1", "old.test"))).resolves.toMatchObject([
      { externalKey: origin },
    ]);
  });

  it("falls back to the RSS feed and says what that lacks", async () => {
    const publication = fakePublication(numberedPosts(1));
    publication.intercept = (request, response) => {
      if (request.url === "/feed") return false;
      response.writeHead(403).end("<html>");
      return true;
    };
    const { origin } = await startUpstream(publication.handle);

    await expect(discover(origin)).resolves.toMatchObject([
      { externalKey: origin, name: "Tides", description: expect.stringContaining("only the newest posts") },
    ]);
  });

  it("sends any other site with a feed to the adapter that reads it", async () => {
    const { origin } = await startUpstream((request, response) =>
      request.url === "/feed" ? response.end(rssXml([{ guid: "a" }])) : response.writeHead(404).end(),
    );

    await expect(discover(origin)).rejects.toMatchObject({
      code: "not_a_feed",
      message: expect.stringContaining("connect it as a website or feed"),
    });
  });

  it("reports a rate limit as that", async () => {
    const { origin } = await startUpstream((_, response) =>
      response.writeHead(429, { "retry-after": "5" }).end(),
    );

    await expect(discover(origin)).rejects.toMatchObject({ code: "rate_limited" });
  });
});

describe("the connection check", () => {
  const gold = { id: 1, slug: "gold", audience: "only_paid", body: "<p>All of it</p>", wordcount: 3 };

  it.each([
    ["no cookie", undefined, "Of paid posts only the beginning can be read without a reader's cookie."],
    ["a dead cookie", "expired", "it may have expired"],
    ["a good cookie", COOKIE, "with its whole archive."],
    ["a cookie as copied from a browser", `substack.sid=${COOKIE};`, "with its whole archive."],
  ])("with %s says what can be read", async (_, token, words) => {
    const { origin } = await startUpstream(fakePublication([gold]).handle);
    const answer = await check(origin, token);

    expect(answer).toMatchObject({ ok: true, feedTitle: "Tides", finalUrl: origin });
    expect(answer.message.endsWith(words) || answer.message.includes(`${words}`)).toBe(true);
    expect(answer.message.includes("cookie")).toBe(words.includes("cookie") || words.includes("expired"));
  });
});
