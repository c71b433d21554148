import { describe, expect, it } from "vitest";
import { createGuardedFetch } from "../http";
import { LOOPBACK } from "../testing/upstream";
import { COOKIE, type FakePost, numberedPosts } from "./fake-publication";
import { followFake, reader, sentIds, textOf } from "./follow-fake";

describe("paid posts", () => {
  const paid = (body: string, more: Partial<FakePost> = {}): FakePost => ({
    id: 1,
    slug: "gold",
    audience: "only_paid",
    body,
    ...more,
  });

  it("stores the beginning of one never seen, and says so", async () => {
    const { sync, memory } = await followFake([
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
    const { publication, sync, memory } = await followFake([paid("<p>All of it</p>", { wordcount: 3 })], {
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
    const { publication, sync, memory } = await followFake([
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
    const { publication, sync, memory } = await followFake(
      [paid("<p>one two three four</p>", { wordcount: 4 })],
      {
        credentials: reader,
      },
    );
    await sync();
    Object.assign(publication.posts[0] ?? {}, { body: "<p>one two</p>", wordcount: 2 });
    await sync();

    expect(textOf(memory, "1")).toBe("<p>one two</p>");
  });

  it("reads teasers again once there is a cookie", async () => {
    const { sync, memory, publication } = await followFake([paid("<p>All of it</p>"), ...numberedPosts(2)]);
    await sync();
    publication.takeTexts();
    await sync({ credentials: reader });

    expect(textOf(memory, "1")).toBe("<p>All of it</p>");
    await sync({ credentials: reader });
    expect(publication.takeTexts().filter((slug) => slug === "gold")).toHaveLength(1);
  });

  it("refuses a cookie that could carry a second header", async () => {
    const { sync } = await followFake([]);

    await expect(sync({ credentials: { type: "bearer", token: "a\r\nx: y" } })).rejects.toMatchObject({
      code: "unauthorized",
    });
  });
});
