import { describe, expect, it } from "vitest";
import { type AdapterInfo, groupByCategory, pickAdapter } from "@/app/(dashboard)/sources/new/pick-adapter";

const anAdapter = (type: string, more: Partial<AdapterInfo> = {}) =>
  ({
    type,
    name: type,
    description: "",
    category: "Other",
    hosts: [],
    canDiscover: true,
    discoversMany: true,
    externalKeyIsUrl: true,
    ...more,
  }) as AdapterInfo;
const adapters = [
  anAdapter("mailbox", { externalKeyIsUrl: false, category: "Mail" }),
  anAdapter("sites", { category: "Websites", description: "Follows a site's feed" }),
  anAdapter("letters", { hosts: ["letters.example"], category: "Newsletters" }),
];

describe("a typed address", () => {
  it.each([
    ["https://ebb.letters.example/p/1", "letters"],
    ["letters.example", "letters"],
    ["notletters.example", "sites"],
    ["example.org", "sites"],
    ["http://[::1]:80/feed", "sites"],
    ["not an address", "sites"],
  ])("%s goes to %s", (address, type) => {
    expect(pickAdapter(adapters, address)?.type).toBe(type);
  });

  it("goes nowhere when nothing can look for feeds", () => {
    expect(pickAdapter([anAdapter("x", { canDiscover: false })], "example.org")).toBeNull();
  });
});

it("finds adapters by any of their words and keeps their headings", () => {
  expect(groupByCategory(adapters, "").map((group) => group.category)).toEqual([
    "Mail",
    "Websites",
    "Newsletters",
  ]);
  expect(groupByCategory(adapters, "feed SITE")).toMatchObject([{ category: "Websites" }]);
  expect(groupByCategory(adapters, "nothing")).toEqual([]);
});
