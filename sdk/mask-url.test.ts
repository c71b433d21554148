import { expect, it } from "vitest";
import { hasSecrets, maskUrl, maskUrlsInText } from "./mask-url";

it.each([
  ["https://jo:pass@example.com/feed", "https://***@example.com/feed"],
  ["https://jo:p@ss@example.com/feed", "https://***@example.com/feed"],
  ["https://example.com/feed?key=abc", "https://example.com/feed?key=***"],
  ["https://example.com/feed?a=1&api_key=abc&b=2#top", "https://example.com/feed?a=1&api_key=***&b=2#top"],
  [
    "https://example.com/?authToken=x;X-Amz-Signature=y",
    "https://example.com/?authToken=***;X-Amz-Signature=***",
  ],
  ["https://example.com/?rsskey=x&%74oken=y", "https://example.com/?rsskey=***&%74oken=***"],
  ["https://example.com/?x=ghp_abcdef", "https://example.com/?x=***"],
  ["https://example.com/#access_token=abc", "https://example.com/#access_token=***"],
  ["https://example.com/?key=", "https://example.com/?key="],
  [
    "https://www.youtube.com/feeds/videos.xml?channel_id=UC123",
    "https://www.youtube.com/feeds/videos.xml?channel_id=UC123",
  ],
  ["https://example.com/@jo/feed?author=me&page=2", "https://example.com/@jo/feed?author=me&page=2"],
  ["https://example.com/?key=%zz", "https://example.com/?key=***"],
  ["", ""],
])("masks %s as %s, and nothing more the second time", (url, masked) => {
  expect(maskUrl(url)).toBe(masked);
  expect(maskUrl(masked)).toBe(masked);
  expect(hasSecrets(url)).toBe(url !== masked);
});

it("masks addresses inside a text", () => {
  expect(maskUrlsInText('moved to "https://a:b@c.example/?sig=1", sorry')).toBe(
    'moved to "https://***@c.example/?sig=***", sorry',
  );
});
