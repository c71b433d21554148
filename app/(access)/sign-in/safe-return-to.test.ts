import { expect, it } from "vitest";
import { safeReturnTo } from "@/app/(access)/sign-in/safe-return-to";

it("returns to a path of this server and to nothing else", () => {
  expect(safeReturnTo("/feeds/feed_1?tab=runs")).toBe("/feeds/feed_1?tab=runs");
  const foreign = [
    "//evil.example",
    "/\\evil.example",
    "https://evil.example",
    "javascript:x()",
    "/\t/evil.example",
    "/.//evil.example",
    "/a/..//evil.example",
    "/a/%2e%2e//evil.example",
    undefined,
    ["/a"],
  ];
  for (const next of foreign) expect(safeReturnTo(next)).toBe("/overview");
});
