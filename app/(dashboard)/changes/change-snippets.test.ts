import { describe, expect, it } from "vitest";
import { clientSnippet, pullSnippet } from "./change-snippets";

const baseUrl = "http://localhost:3000";

describe("the command to try", () => {
  it("asks for everything, or waits for what comes after a cursor", () => {
    expect(pullSnippet({ baseUrl, cursor: null })).toBe(
      `curl -sS 'http://localhost:3000/api/v1/changes?limit=100&consumer=my-copy' \\
  -H 'Authorization: Bearer YOUR_TOKEN'`,
    );
    expect(pullSnippet({ baseUrl, cursor: "now" })).toContain("?limit=100&cursor=now&wait=25&consumer=");
  });

  it("carries the filter that is chosen on the page", () => {
    const filter = { sourceId: "src_a", feedId: "feed_b" };
    expect(pullSnippet({ baseUrl, cursor: "AZ_-x", ...filter })).toContain(
      "cursor=AZ_-x&wait=25&sourceId=src_a&feedId=feed_b&",
    );
    expect(clientSnippet({ baseUrl, ...filter })).toContain(
      `  sourceId: "src_a",\n  feedId: "feed_b",\n  store:`,
    );
    expect(clientSnippet({ baseUrl })).not.toContain("sourceId");
  });
});
