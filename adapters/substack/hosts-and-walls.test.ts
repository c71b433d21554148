import type { ServerResponse } from "node:http";
import { describe, expect, it } from "vitest";
import { liveIds } from "../testing/run-sync";
import { numberedPosts } from "./fake-publication";
import { followFake, NOW, reader, sentIds, textOf } from "./follow-fake";
import { DAY_MS } from "./plan";

describe("hosts and walls", () => {
  const html = (status: number) => (_: unknown, response: ServerResponse) => {
    response.writeHead(status, { "content-type": "text/html" }).end("<html><title>Just a moment</title>");
    return true;
  };
  const on = (origin: string, host: string) => origin.replace("127.0.0.1", host);

  it("finds the archive on the other of apex and www, remembers it, and sends no cookie there", async () => {
    const { publication, origin, sync } = await followFake(numberedPosts(2));
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
    const { publication, origin, sync } = await followFake(numberedPosts(2));
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
    const { publication, memory, sync } = await followFake(numberedPosts(30));
    publication.intercept = (request, response) => request.url !== "/feed" && html(status)(request, response);

    const { pages, warnings } = await sync();

    expect(warnings).toContain("feed_instead_of_archive");
    expect(liveIds(memory)).toHaveLength(20);
    expect(pages[0]).toMatchObject({ feedTitle: "Tides", cursor: { type: "date" } });
    expect(pages.some((page) => page.complete)).toBe(false);
  });

  it("gives posts their own id once the archive can be read again, and doubles none", async () => {
    const { publication, memory, sync } = await followFake(numberedPosts(30));
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
    const { publication, memory, sync } = await followFake(numberedPosts(5));
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
    const { publication, memory, sync } = await followFake(numberedPosts(2));
    publication.intercept = (request, response) =>
      request.url?.includes("/posts/") === true && html(403)(request, response);
    await sync();

    expect([...memory.documents.values()].map(({ text }) => text)).toEqual([
      "Feed text of post-2",
      "Feed text of post-1",
    ]);
  });

  it("F37: one text that cannot be read stops no other and is tried again; an outage ends the run", async () => {
    const { publication, memory, sync } = await followFake(numberedPosts(8));
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

  it("tries a text deep in the archive again after a day, not only with the next full reading", async () => {
    const { publication, memory, clock, sync } = await followFake(numberedPosts(60));
    publication.intercept = (request, response) =>
      /post-3$/.test(request.url ?? "") && html(500)(request, response);
    await sync();
    publication.intercept = () => false;
    await sync();
    expect(liveIds(memory)).toHaveLength(59);
    clock.now = new Date(NOW.getTime() + DAY_MS);
    await sync();

    expect(liveIds(memory)).toHaveLength(60);
  });

  it("skips a post that was unpublished between listing and reading", async () => {
    const { publication, memory, sync } = await followFake(numberedPosts(3));
    publication.intercept = (request, response) => {
      if (!request.url?.endsWith("post-2")) return false;
      response.writeHead(404).end();
      return true;
    };
    const { pages, warnings } = await sync();

    expect([liveIds(memory), warnings, pages.at(-1)?.complete]).toEqual([["9003", "9001"], [], undefined]);
  });

  it("keeps what it has when older pages are closed, and goes on from there next time", async () => {
    const { publication, memory, sync } = await followFake(numberedPosts(60));
    publication.intercept = (request, response) =>
      request.url?.includes("offset=24") === true && html(403)(request, response);
    const { warnings } = await sync();
    expect([warnings, liveIds(memory).length]).toEqual([["archive_unreadable"], 24]);
    publication.intercept = () => false;
    await sync();

    expect(liveIds(memory)).toHaveLength(60);
  });
});
