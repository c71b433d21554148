import { describe, expect, it } from "vitest";
import { NotSubstack, parseArchive, parsePost } from "./parse";

const bytes = (text: string) => new TextEncoder().encode(text);

describe("parseArchive", () => {
  it("F32: keeps ids beyond 2^53 exact", () => {
    const text = '[{"id":723389637071249410,"slug":"a"},{"id":723389637071249411,"slug":"b"}]';

    expect(parseArchive(bytes(text)).posts.map(({ id }) => id)).toEqual([
      "723389637071249410",
      "723389637071249411",
    ]);
  });

  it("leaves out entries without an id or slug and says how many", () => {
    const { posts, unusable } = parseArchive(bytes('[{"id":1,"slug":"a"},{"id":2},{"slug":"c"},null,7]'));

    expect([posts.map(({ id }) => id), unusable]).toEqual([["1"], 4]);
  });

  it("gives a fingerprint that knows edits and not counts", () => {
    const fingerprint = (entry: object) =>
      parseArchive(bytes(JSON.stringify([{ id: 1, slug: "a", title: "A", ...entry }]))).posts[0]?.fingerprint;

    expect(fingerprint({ reaction_count: 5 })).toBe(fingerprint({ reaction_count: 6 }));
    for (const edit of [
      { title: "B" },
      { slug: "b" },
      { subtitle: "s" },
      { audience: "only_paid" },
      { wordcount: 9 },
    ]) {
      expect(fingerprint(edit)).not.toBe(fingerprint({}));
    }
  });

  it.each(["<!doctype html><title>Hello</title>", '{"error":"no"}', "", '[{"guid":"x"}]', "[1"])(
    "does not take %j for an archive",
    (text) => {
      expect(() => parseArchive(bytes(text))).toThrow(NotSubstack);
    },
  );

  it("takes an empty array for the end, and hostile values for absent ones", () => {
    expect(parseArchive(bytes("[]"))).toEqual({ posts: [], unusable: 0 });
    const [post] = parseArchive(
      bytes(
        '[{"id":1,"slug":"a","title":{"x":1},"post_date":"soon","canonical_url":"javascript:1","publishedBylines":[null,{"name":3}]}]',
      ),
    ).posts;
    expect(post).toMatchObject({ id: "1", slug: "a", authors: ["3"] });
    expect([post?.title, post?.date, post?.url]).toEqual([undefined, undefined, undefined]);
  });
});

describe("parsePost", () => {
  it("tells a kept text from a text", () => {
    expect(parsePost(bytes('{"id":1,"slug":"a","body_html":null}'))).toEqual({ id: "1", html: null });
    expect(parsePost(bytes('{"id":1,"slug":"a","body_html":"<p>x</p>"}'))).toEqual({
      id: "1",
      html: "<p>x</p>",
    });
    expect(() => parsePost(bytes('{"error":"no"}'))).toThrow(NotSubstack);
  });
});
