import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { describeAdapterContract } from "../testing/contract";
import { liveIds } from "../testing/run-sync";
import { createSubstack } from ".";
import { fakeFetch, fakePublication, numberedPosts } from "./fake-publication";
import { followFake, NOW, sentIds, textOf } from "./follow-fake";
import { DAY_MS } from "./plan";

describe("the archive", () => {
  it("hands over a post with everything that makes an edit visible, its id digit for digit", async () => {
    const { sync } = await followFake([
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
    const { publication, memory, sync } = await followFake(posts);

    await sync();

    expect(liveIds(memory)).toHaveLength(32);
    // Twice: once to hand over, once to confirm that nothing shifted out of sight.
    expect(publication.takeOffsets()).toEqual([0, 12, 24, 36, 48, 0, 12, 24, 36, 48]);
  });

  it("recognises posts that a new one pushed to the next page", async () => {
    const { publication, memory, sync } = await followFake(numberedPosts(30));
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
    const { publication, memory, sync } = await followFake(numberedPosts(30));
    publication.intercept = (request) => {
      if (request.url?.includes("offset=12") && publication.posts.length === 30) publication.posts.shift();
      return false;
    };

    const { pages } = await sync();

    expect(liveIds(memory)).toHaveLength(30);
    expect(pages.at(-1)?.complete).toBeUndefined();
  });

  it("ends when the upstream ignores the offset", async () => {
    const { publication, sync } = await followFake(numberedPosts(5));
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
    const { publication, waits, sync } = await followFake(numberedPosts(3), {
      config: { secondsBetweenRequests: 1.5 },
    });
    await sync();

    expect(waits).toEqual(publication.requests.slice(1).map(() => 1500));
  });
});

describe("a later sync", () => {
  it("asks for nothing but two listings when nothing is new, and for one text when one post is", async () => {
    const { publication, sync } = await followFake(numberedPosts(60));
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
    const { publication, memory, sync } = await followFake(numberedPosts(3));
    await sync();
    Object.assign(publication.posts[1] ?? {}, { title: "Corrected", body: "<p>New text</p>" });
    const { pages } = await sync();

    expect(sentIds(pages)).toEqual(["9002"]);
    expect(textOf(memory, "9002")).toBe("<p>New text</p>");
  });

  it("walks the whole archive when that is due, finding old edits and silent ones of the newest", async () => {
    const { publication, memory, clock, sync } = await followFake(numberedPosts(60));
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
    const { publication, memory, sync } = await followFake(numberedPosts(20));
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
    const { publication, memory, sync } = await followFake(numberedPosts(30));
    await sync();
    publication.takeTexts();
    memory.cursor = { type: "none" };
    const { pages } = await sync();

    expect(publication.takeTexts()).toHaveLength(30);
    expect(pages.at(-1)?.complete).toBe(true);
  });

  it("does not call a listing complete that an earlier run began", async () => {
    const { sync, memory } = await followFake(numberedPosts(30));
    await sync({ crashAfterPages: 1 });
    const { pages } = await sync();

    expect(liveIds(memory)).toHaveLength(30);
    expect(pages.at(-1)?.complete).toBeUndefined();
  });

  it("is not carried ahead by a post dated in the future", async () => {
    const { publication, memory, sync } = await followFake(numberedPosts(2));
    publication.posts.unshift({ id: 1, slug: "later", body: "x", date: "2031-01-01T00:00:00Z" });
    await sync();

    expect(memory.cursor).toEqual({ type: "date", value: NOW.toISOString() });
  });
});

describe("bounds", () => {
  it("keeps its memory small for three thousand posts, and does not read the forgotten ones again", async () => {
    const posts = numberedPosts(3000).map((post, i) => ({
      ...post,
      date: new Date(NOW.getTime() - (i + 1) * DAY_MS).toISOString(),
    }));
    const { publication, memory, clock, sync } = await followFake(posts, { config: { postsPerRequest: 50 } });
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
