import { expect, it } from "vitest";
import { curlSnippet, pythonSnippet } from "@/app/(dashboard)/tokens/push-snippets";

const push = { baseUrl: "http://localhost:3000", feedId: "feed_1", token: "tdm_1_abc" };

it("writes snippets that carry the address, the feed and the token", () => {
  for (const snippet of [curlSnippet(push), pythonSnippet(push)]) {
    expect(snippet).toContain("http://localhost:3000/api/v1/feeds/feed_1/documents");
    expect(snippet).toContain("Bearer tdm_1_abc");
  }
});

it("leaves a place for the token where there is none yet", () => {
  expect(curlSnippet({ ...push, token: null })).toContain("Bearer YOUR_TOKEN");
});
