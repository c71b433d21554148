import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { AdapterDocument, Page } from "@/sdk/adapter";
import { createGuardedFetch } from "../http";
import { describeAdapterContract } from "../testing/contract";
import { emptyMemory, liveIds, runSync, type SyncSetup } from "../testing/run-sync";
import { LOOPBACK, startUpstream } from "../testing/upstream";
import { createSubstack } from ".";
import { COOKIE, type FakePost, fakeFetch, fakePublication, numberedPosts } from "./fake-publication";

const NOW = new Date("2026-06-01T00:00:00Z");
const DAY_MS = 24 * 3600 * 1000;

/** A publication on loopback, the adapter with a clock that never waits, and its memory. */
async function setUp(posts: FakePost[], more: Partial<SyncSetup> = {}) {
  const publication = fakePublication(posts);
  const { origin } = await startUpstream(publication.handle);
  const waits: number[] = [];
  const adapter = createSubstack(async (ms) => void waits.push(ms));
  const memory = emptyMemory();
  const clock = { now: NOW };
  const sync = (again: Partial<SyncSetup> = {}) =>
    runSync(
      adapter,
      { fetch: fakeFetch, feed: { url: origin }, now: () => clock.now, ...more, ...again },
      memory,
    );
  return { publication, origin, waits, memory, clock, sync };
}

const sentIds = (pages: Page[]) => pages.flatMap((page) => page.documents.map(({ id }) => id));
const textOf = (memory: { documents: Map<string, AdapterDocument> }, id: string) =>
  memory.documents.get(id)?.text;
const reader = { type: "bearer" as const, token: COOKIE };

describe("the archive", () => {
  it("hands over a post with everything that makes an edit visible, its id digit for digit", async () => {
    const { sync } = await setUp([
      { id: "723389637071249411", slug: "tides", title: "Tides", body: '<p><a href="/about">sea</a></p>' },
    ]);
    const { pages } = await sync();

    expect(pages.flatMap((page) => page.documents)).toEqual([
      {
        id: "723389637071249411",
        title: "Tides",
        text: '<p><a href="https://ebb.example/about">sea</a></p>',
        format: "html",
        url: "https://ebb.example/p/tides",
        author: "A. Rowe",
        date: "2026-03-01T09:30:00.000Z",
        metadata: {
          slug: "tides",
          subtitle: "A start",
          type: "newsletter",
          audience: "everyone",
          summary: "About tides",
        },
      },
    ]);
    expect(pages[0]?.feedTitle).toBe("Tides");
    expect(pages.at(-1)).toMatchObject({
      documents: [],
      complete: true,
      cursor: { type: "date", value: "2026-03-01T09:30:00.000Z" },
    });
  });

  it("goes on after short pages, by the limit it asked for, and stops at an empty one alone", async () => {
    const posts = numberedPosts(40);
    for (const post of posts.slice(3, 11)) post.hidden = true;
    const { publication, memory, sync } = await setUp(posts);

    await sync();

    expect(liveIds(memory)).toHaveLength(32);
    // Twice: once to hand over, once to confirm that nothing shifted out of sight.
    expect(publication.takeOffsets()).toEqual([0, 12, 24, 36, 48, 0, 12, 24, 36, 48]);
  });

  it("recognises posts that a new one pushed to the next page", async () => {
    const { publication, memory, sync } = await setUp(numberedPosts(30));
    publication.intercept = (request) => {
      const isSecondPage = request.url?.includes("offset=12");
      if (isSecondPage && publication.posts.length === 30) publication.posts.unshift(...numberedPosts(1, 31));
      return false;
    };

    const { pages } = await sync();

    const ids = sentIds(pages);
    expect(new Set(ids).size).toBe(ids.length);
    expect(liveIds(memory)).toHaveLength(31);
    // The walk met the new post in its second listing only: no evidence of what is gone.
    expect(pages.at(-1)?.complete).toBeUndefined();
  });

  it("is not complete when a post vanished meanwhile and another slipped out of sight, and finds that one", async () => {
    const { publication, memory, sync } = await setUp(numberedPosts(30));
    publication.intercept = (request) => {
      if (request.url?.includes("offset=12") && publication.posts.length === 30) publication.posts.shift();
      return false;
    };

    const { pages } = await sync();

    expect(liveIds(memory)).toHaveLength(30);
    expect(pages.at(-1)?.complete).toBeUndefined();
  });

  it("ends when the upstream ignores the offset", async () => {
    const { publication, sync } = await setUp(numberedPosts(5));
    publication.intercept = (request) => {
      request.url = request.url?.replace(/offset=\d+/, "offset=0");
      return false;
    };

    const { pages, warnings } = await sync();

    expect(warnings).toEqual(["archive_repeats"]);
    expect(sentIds(pages)).toHaveLength(5);
    expect(pages.at(-1)?.complete).toBeUndefined();
  });

  it("pauses before every request but the first", async () => {
    const { publication, waits, sync } = await setUp(numberedPosts(3), {
      config: { secondsBetweenRequests: 1.5 },
    });
    await sync();

    expect(waits).toEqual(publication.requests.slice(1).map(() => 1500));
  });
});

describe("a later sync", () => {
  it("asks for nothing but two listings when nothing is new, and for one text when one post is", async () => {
    const { publication, sync } = await setUp(numberedPosts(60));
    await sync();
    publication.takeOffsets();
    publication.takeTexts();

    await sync();
    expect([publication.takeOffsets(), publication.takeTexts()]).toEqual([[0, 12], []]);
    publication.posts.unshift(...numberedPosts(1, 61));
    const { pages } = await sync();
    expect([publication.takeOffsets(), publication.takeTexts()]).toEqual([[0, 12, 24], ["post-61"]]);
    expect(sentIds(pages)).toEqual(["9061"]);
  });

  it("F15: reads the text again when the listing shows an edit, not when likes are counted", async () => {
    const { publication, memory, sync } = await setUp(numberedPosts(3));
    await sync();
    Object.assign(publication.posts[1] ?? {}, { title: "Corrected", body: "<p>New text</p>" });
    const { pages } = await sync();

    expect(sentIds(pages)).toEqual(["9002"]);
    expect(textOf(memory, "9002")).toBe("<p>New text</p>");
  });

  it("walks the whole archive when that is due, finding old edits and silent ones of the newest", async () => {
    const { publication, memory, clock, sync } = await setUp(numberedPosts(60));
    await sync();
    Object.assign(publication.posts.at(-1) ?? {}, { title: "Old edit" });
    Object.assign(publication.posts[0] ?? {}, { body: "<p>Silent edit</p>" });
    clock.now = new Date(NOW.getTime() + 6 * DAY_MS);
    expect(sentIds((await sync()).pages)).toEqual([]);
    publication.takeTexts();

    clock.now = new Date(NOW.getTime() + 7 * DAY_MS);
    const { pages } = await sync();

    expect(publication.takeTexts()).toHaveLength(13);
    expect([memory.documents.get("9001")?.title, textOf(memory, "9060")]).toEqual([
      "Old edit",
      "<p>Silent edit</p>",
    ]);
    expect(pages.some((page) => page.complete)).toBe(false);
    publication.takeOffsets();
    await sync();
    expect(publication.takeOffsets()).toEqual([0, 12]);
  });

  it("keeps what was read before a rate limit and leaves no hole behind it", async () => {
    const { publication, memory, sync } = await setUp(numberedPosts(20));
    await sync();
    publication.posts.unshift(...numberedPosts(100, 21));
    let budget = 0;
    publication.intercept = (_, response) => {
      if (budget-- > 0) return false;
      response.writeHead(429, { "retry-after": "60" }).end();
      return true;
    };

    let runs = 0;
    for (let done = false; !done; runs++) {
      budget = 25;
      done = await sync().then(
        () => true,
        (error) => {
          expect(error).toMatchObject({
            code: "rate_limited",
            info: { retryAt: new Date(NOW.getTime() + 60_000) },
          });
          return false;
        },
      );
    }

    expect(liveIds(memory)).toHaveLength(120);
    expect(runs).toBeLessThan(8);
  });

  it("takes a reset of the position as a wish to read everything again", async () => {
    const { publication, memory, sync } = await setUp(numberedPosts(30));
    await sync();
    publication.takeTexts();
    memory.cursor = { type: "none" };
    const { pages } = await sync();

    expect(publication.takeTexts()).toHaveLength(30);
    expect(pages.at(-1)?.complete).toBe(true);
  });

  it("does not call a listing complete that an earlier run began", async () => {
    const { sync, memory } = await setUp(numberedPosts(30));
    await sync({ crashAfterPages: 1 });
    const { pages } = await sync();

    expect(liveIds(memory)).toHaveLength(30);
    expect(pages.at(-1)?.complete).toBeUndefined();
  });

  it("is not carried ahead by a post dated in the future", async () => {
    const { publication, memory, sync } = await setUp(numberedPosts(2));
    publication.posts.unshift({ id: 1, slug: "later", body: "x", date: "2031-01-01T00:00:00Z" });
    await sync();

    expect(memory.cursor).toEqual({ type: "date", value: NOW.toISOString() });
  });
});

describe("paid posts", () => {
  const paid = (body: string, more: Partial<FakePost> = {}): FakePost => ({
    id: 1,
    slug: "gold",
    audience: "only_paid",
    body,
    ...more,
  });

  it("stores the beginning of one never seen, and says so", async () => {
    const { sync, memory } = await setUp([
      paid("<p>All</p>"),
      paid("<p>Free</p><!--paywall--><p>Rest</p>", { id: 2, slug: "b" }),
    ]);
    await sync();

    expect(memory.documents.get("1")).toMatchObject({
      text: "Beginning of gold ...",
      format: "text",
      metadata: { audience: "only_paid", teaser: true },
    });
    expect(memory.documents.get("2")).toMatchObject({ text: "<p>Free</p>", metadata: { teaser: true } });
  });

  it("sends the cookie to the publication, as a cookie, and reads them whole", async () => {
    const { publication, sync, memory } = await setUp([paid("<p>All of it</p>", { wordcount: 3 })], {
      credentials: reader,
      fetch: createGuardedFetch({ allowPrivateNetworks: LOOPBACK, credentials: reader }),
    });
    await sync();

    expect(memory.documents.get("1")).toMatchObject({ text: "<p>All of it</p>" });
    expect(memory.documents.get("1")?.metadata).not.toHaveProperty("teaser");
    expect(publication.requests.map(({ authorization }) => authorization)).toEqual(
      publication.requests.map(() => undefined),
    );
    expect(publication.requests[0]?.cookie).toBe(`substack.sid=${COOKIE}`);
  });

  it("never lets a teaser follow the whole text, whatever changes around it", async () => {
    const { publication, sync, memory } = await setUp([
      paid("<p>Free</p><!--paywall--><p>Rest</p>"),
      { id: 2, slug: "open", body: "<p>Was open to all</p>" },
    ]);
    await sync({ credentials: reader });
    const whole = structuredClone([...memory.documents]);
    Object.assign(publication.posts[0] ?? {}, { title: "New title" });
    Object.assign(publication.posts[1] ?? {}, { audience: "only_paid" });

    const { pages, warnings } = await sync();
    await sync();

    expect([sentIds(pages), warnings]).toEqual([[], ["teaser_withheld"]]);
    expect([...memory.documents]).toEqual(whole);
  });

  it("lets an author shorten a paid post when the words show that it is whole", async () => {
    const { publication, sync, memory } = await setUp([paid("<p>one two three four</p>", { wordcount: 4 })], {
      credentials: reader,
    });
    await sync();
    Object.assign(publication.posts[0] ?? {}, { body: "<p>one two</p>", wordcount: 2 });
    await sync();

    expect(textOf(memory, "1")).toBe("<p>one two</p>");
  });

  it("reads teasers again once there is a cookie", async () => {
    const { sync, memory, publication } = await setUp([paid("<p>All of it</p>"), ...numberedPosts(2)]);
    await sync();
    publication.takeTexts();
    await sync({ credentials: reader });

    expect(textOf(memory, "1")).toBe("<p>All of it</p>");
    await sync({ credentials: reader });
    expect(publication.takeTexts().filter((slug) => slug === "gold")).toHaveLength(1);
  });

  it("refuses a cookie that could carry a second header", async () => {
    const { sync } = await setUp([]);

    await expect(sync({ credentials: { type: "bearer", token: "a\r\nx: y" } })).rejects.toMatchObject({
      code: "unauthorized",
    });
  });
});

describe("hosts and walls", () => {
  const html = (status: number) => (_: unknown, response: import("node:http").ServerResponse) => {
    response.writeHead(status, { "content-type": "text/html" }).end("<html><title>Just a moment</title>");
    return true;
  };
  const on = (origin: string, host: string) => origin.replace("127.0.0.1", host);

  it("finds the archive on the other of apex and www, remembers it, and sends no cookie there", async () => {
    const { publication, origin, sync } = await setUp(numberedPosts(2));
    publication.intercept = (request, response) =>
      request.headers.host?.startsWith("www.") ? false : html(404)(request, response);
    const feed = { url: on(origin, "ebb.test") };
    const { warnings } = await sync({ feed, credentials: reader });
    expect(warnings).toContain("cookie_not_sent");
    publication.requests.length = 0;
    await sync({ feed, credentials: reader });

    expect(publication.requests.map(({ host, cookie }) => [host.split(":")[0], cookie])).toEqual([
      ["www.ebb.test", undefined],
      ["www.ebb.test", undefined],
    ]);
  });

  it("does not take a rate limit for a miss", async () => {
    const { publication, origin, sync } = await setUp(numberedPosts(2));
    publication.intercept = (_, response) => {
      response.writeHead(429).end();
      return true;
    };

    await expect(sync({ feed: { url: on(origin, "ebb.test") } })).rejects.toMatchObject({
      code: "rate_limited",
    });
    expect(publication.requests).toHaveLength(1);
  });

  it.each([
    ["a challenge page", 403],
    ["a web page with status 200", 200],
    ["a server error", 500],
  ])("reads the RSS feed when the archive answers with %s", async (_, status) => {
    const { publication, memory, sync } = await setUp(numberedPosts(30));
    publication.intercept = (request, response) => request.url !== "/feed" && html(status)(request, response);

    const { pages, warnings } = await sync();

    expect(warnings).toContain("feed_instead_of_archive");
    expect(liveIds(memory)).toHaveLength(20);
    expect(pages[0]).toMatchObject({ feedTitle: "Tides", cursor: { type: "date" } });
    expect(pages.some((page) => page.complete)).toBe(false);
  });

  it("gives posts their own id once the archive can be read again, and doubles none", async () => {
    const { publication, memory, sync } = await setUp(numberedPosts(30));
    publication.intercept = (request, response) => request.url !== "/feed" && html(403)(request, response);
    await sync();
    await sync();
    publication.intercept = () => false;
    await sync();

    expect(liveIds(memory).sort()).toEqual(
      numberedPosts(30)
        .map(({ id }) => String(id))
        .sort(),
    );
    expect([...memory.documents.values()].filter(({ deleted }) => deleted)).toHaveLength(20);
  });

  it("leaves posts from the archive alone while only the RSS feed can be read, and adds new ones", async () => {
    const { publication, memory, sync } = await setUp(numberedPosts(5));
    await sync();
    const before = structuredClone([...memory.documents]);
    publication.intercept = (request, response) => request.url !== "/feed" && html(403)(request, response);
    publication.posts.unshift(...numberedPosts(1, 6));
    publication.guidOf = ({ id, slug }) =>
      id === 9006 ? `substack:post:${id}` : `https://ebb.example/p/${slug}`;
    const { pages } = await sync();

    expect(sentIds(pages)).toEqual(["9006"]);
    expect([...memory.documents].slice(0, 5)).toEqual(before);
    publication.intercept = () => false;
    await sync();
    expect(textOf(memory, "9006")).toBe("<p>Text 6</p>");
    expect(liveIds(memory)).toHaveLength(6);
  });

  it("reads the RSS feed when the archive can be listed but no text be read", async () => {
    const { publication, memory, sync } = await setUp(numberedPosts(2));
    publication.intercept = (request, response) =>
      request.url?.includes("/posts/") === true && html(403)(request, response);
    await sync();

    expect([...memory.documents.values()].map(({ text }) => text)).toEqual([
      "Feed text of post-2",
      "Feed text of post-1",
    ]);
  });

  it("F37: one text that cannot be read stops no other and is tried again; an outage ends the run", async () => {
    const { publication, memory, sync } = await setUp(numberedPosts(8));
    let broken = /post-3$/;
    publication.intercept = (request, response) =>
      broken.test(request.url ?? "") && html(500)(request, response);
    const first = await sync();
    expect([liveIds(memory).length, first.warnings, first.pages.at(-1)?.complete]).toEqual([
      7,
      ["post_unreadable"],
      undefined,
    ]);

    broken = /posts/;
    publication.posts.unshift(...numberedPosts(3, 9));
    await expect(sync()).rejects.toMatchObject({ code: "unavailable" });
    broken = /nothing/;
    await sync();
    expect(liveIds(memory)).toHaveLength(11);
  });

  it("skips a post that was unpublished between listing and reading", async () => {
    const { publication, memory, sync } = await setUp(numberedPosts(3));
    publication.intercept = (request, response) => {
      if (!request.url?.endsWith("post-2")) return false;
      response.writeHead(404).end();
      return true;
    };
    const { pages, warnings } = await sync();

    expect([liveIds(memory), warnings, pages.at(-1)?.complete]).toEqual([["9003", "9001"], [], undefined]);
  });

  it("keeps what it has when older pages are closed, and goes on from there next time", async () => {
    const { publication, memory, sync } = await setUp(numberedPosts(60));
    publication.intercept = (request, response) =>
      request.url?.includes("offset=24") === true && html(403)(request, response);
    const { warnings } = await sync();
    expect([warnings, liveIds(memory).length]).toEqual([["archive_unreadable"], 24]);
    publication.intercept = () => false;
    await sync();

    expect(liveIds(memory)).toHaveLength(60);
  });
});

describe("bounds", () => {
  it("keeps its memory small for three thousand posts, and does not read the forgotten ones again", async () => {
    const posts = numberedPosts(3000).map((post, i) => ({
      ...post,
      date: new Date(NOW.getTime() - (i + 1) * DAY_MS).toISOString(),
    }));
    const { publication, memory, clock, sync } = await setUp(posts, { config: { postsPerRequest: 50 } });
    await sync();
    expect(Buffer.byteLength(JSON.stringify(memory.state))).toBeLessThanOrEqual(64 * 1024);
    publication.takeTexts();
    clock.now = new Date(NOW.getTime() + 8 * DAY_MS);
    publication.posts.unshift({ id: 99_999, slug: "new", body: "<p>New</p>", date: NOW.toISOString() });
    await sync();

    expect(liveIds(memory)).toHaveLength(3001);
    expect(publication.takeTexts().length).toBeLessThanOrEqual(13);
  }, 60_000);
});

describe("contract", () => {
  const publication = fakePublication(numberedPosts(30));
  const server = createServer(publication.handle);
  beforeAll(() => new Promise<void>((done) => server.listen(0, "127.0.0.1", done)));
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  describeAdapterContract(
    createSubstack(async () => {}),
    {
      feed: { url: "http://ebb.test" },
      // The port is known only once the server listens.
      fetch: async (url, init) => {
        const target = new URL(url);
        target.port = String((server.address() as AddressInfo).port);
        const response = await fakeFetch(target, init);
        return { ...response, url: String(url) };
      },
      externalIds: numberedPosts(30).map(({ id }) => String(id)),
    },
  );
});
