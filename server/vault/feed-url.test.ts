import { expect, it } from "vitest";
import { splitSecretUrl } from "./feed-url";

it("leaves a URL without secrets exactly as it was given", () => {
  for (const url of ["https://example.org/feed.xml", "HTTPS://Example.org/a?tag=x#top", "default"]) {
    expect(splitSecretUrl(url)).toEqual({ externalKey: url, secretUrl: null });
  }
});

it.each([
  ["https://mira:tide@example.org/feed", "https://***@example.org/feed", "tide"],
  ["https://example.org/feed?user=4&key=t1de&x=1", "https://example.org/feed?user=4&key=***&x=1", "t1de"],
  ["https://example.org/feed?api_key=t1de#latest", "https://example.org/feed?api_key=***", "t1de"],
  ["https://example.org/feed#access_token=t1de", "https://example.org/feed", "t1de"],
])("masks %s", (url, masked, secret) => {
  const { externalKey, secretUrl } = splitSecretUrl(url);
  expect(externalKey).toMatch(/#[\w-]{10}$/);
  expect(externalKey.replace(/#[\w-]{10}$/, "")).toBe(masked);
  expect(externalKey).not.toContain(secret);
  expect(secretUrl).toBe(url);
});

it("gives one URL one key, and two secrets two keys", () => {
  const one = splitSecretUrl("https://example.org/feed?key=one").externalKey;
  expect(splitSecretUrl("https://example.org/feed?key=one").externalKey).toBe(one);
  expect(splitSecretUrl("https://example.org/feed?key=two").externalKey).not.toBe(one);
});
