import { expect, it } from "vitest";
import { chosenState, type Item, importable, toTree } from "@/app/(dashboard)/sources/import/outline-tree";

const anItem = (index: number, groups: string[], status: Item["status"] = "new"): Item => ({
  index,
  url: `https://example.org/${index}`,
  shownUrl: `https://example.org/${index}`,
  title: `Feed ${index}`,
  groups,
  status,
  reason: status === "new" ? null : "why",
  known: null,
});
const items = [
  anItem(0, ["News", "Local"]),
  anItem(1, []),
  anItem(2, ["News"], "invalid"),
  anItem(3, ["News", "Local"], "duplicate"),
  anItem(4, ["Local"]),
];

it("nests folders as the file does, same names in different folders apart", () => {
  const tree = toTree(items);
  expect(tree.items.map((item) => item.index)).toEqual([1]);
  expect(tree.folders.map((folder) => folder.name)).toEqual(["News", "Local"]);
  expect(tree.folders[0]?.folders.map((folder) => [folder.name, folder.items.length])).toEqual([
    ["Local", 2],
  ]);
});

it("chooses only what is new, in a folder and below it", () => {
  const [news] = toTree(items).folders;
  const inside = news ? importable(news) : [];
  expect(inside.map((item) => item.index)).toEqual([0]);
  expect(chosenState(inside, new Set([0, 4]))).toBe("all");
  expect(chosenState(importable(toTree(items)), new Set([0]))).toBe("some");
  expect(chosenState(inside, new Set())).toBe("none");
});
