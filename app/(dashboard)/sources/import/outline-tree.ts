import type { Outputs } from "@/app/(dashboard)/_lib/types";

export type Preview = Outputs["opml"]["preview"];
export type Item = Preview["items"][number];

/** A folder of the file; the root has no name. */
export type Folder = {
  /** The names from the outside in, as one key. */
  key: string;
  name: string;
  folders: Folder[];
  items: Item[];
};

/** The file's folders, in the order in which it names them. */
export function toTree(items: readonly Item[]): Folder {
  const root: Folder = { key: "", name: "", folders: [], items: [] };
  const byKey = new Map([["", root]]);
  for (const item of items) {
    let folder = root;
    for (const name of item.groups) {
      const key = `${folder.key}\n${name}`;
      let inner = byKey.get(key);
      if (!inner) {
        inner = { key, name, folders: [], items: [] };
        byKey.set(key, inner);
        folder.folders.push(inner);
      }
      folder = inner;
    }
    folder.items.push(item);
  }
  return root;
}

/** Everything in a folder and below it that can be imported. */
export function importable({ folders, items }: Folder): Item[] {
  return [...items.filter((item) => item.status === "new"), ...folders.flatMap(importable)];
}

/** Of these, how many are chosen: what a folder's box shows. */
export function chosenState(items: readonly Item[], chosen: ReadonlySet<number>): "all" | "some" | "none" {
  const count = items.filter((item) => chosen.has(item.index)).length;
  return count === 0 ? "none" : count === items.length ? "all" : "some";
}

export function itemName(item: Pick<Item, "title" | "shownUrl">): string {
  return item.title ?? (item.shownUrl || "Without a name");
}
