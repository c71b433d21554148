"use client";

import { Folder as FolderIcon } from "lucide-react";
import { useEffect, useRef } from "react";
import {
  chosenState,
  type Folder,
  type Item,
  importable,
  itemName,
} from "@/app/(dashboard)/sources/import/outline-tree";
import { Checkbox } from "@/components/field";
import { Link } from "@/components/link";

type Choice = {
  chosen: ReadonlySet<number>;
  onSet(items: readonly Item[], isChosen: boolean): void;
};

/** A folder's feeds, then its folders, each with a box for all in it. */
export function FolderRows({ folder, ...choice }: Choice & { folder: Folder }) {
  return (
    <>
      <ul>
        {folder.items.map((item) => (
          <li key={item.index} className="py-1">
            <ItemRow item={item} {...choice} />
          </li>
        ))}
      </ul>
      {folder.folders.map((inner) => (
        <fieldset key={inner.key} className="py-1">
          <legend className="w-full">
            <FolderBox folder={inner} {...choice} />
          </legend>
          <div className="ml-2 border-l border-line pl-4">
            <FolderRows folder={inner} {...choice} />
          </div>
        </fieldset>
      ))}
    </>
  );
}

function FolderBox({ folder, chosen, onSet }: Choice & { folder: Folder }) {
  const box = useRef<HTMLInputElement>(null);
  const inside = importable(folder);
  const state = chosenState(inside, chosen);
  // "Some" is a property of the element; HTML has no attribute for it.
  useEffect(() => {
    if (box.current) box.current.indeterminate = state === "some";
  }, [state]);
  return (
    <Checkbox
      ref={box}
      checked={inside.length > 0 && state === "all"}
      disabled={inside.length === 0}
      onChange={(event) => onSet(inside, event.target.checked)}
      label={
        <span className="inline-flex items-center gap-1.5 font-medium">
          <FolderIcon aria-hidden size={14} className="text-ink-faint" />
          {folder.name}
        </span>
      }
    />
  );
}

function ItemRow({ item, chosen, onSet }: Choice & { item: Item }) {
  const hint = (
    <>
      {item.title && <span className="block font-mono break-all">{item.shownUrl}</span>}
      {item.reason && (
        <span className={item.status === "invalid" ? "block text-bad" : "block"}>
          {item.status === "duplicate" ? "Duplicate. " : "Cannot be read. "}
          {item.reason}
        </span>
      )}
    </>
  );
  return (
    <>
      <Checkbox
        checked={chosen.has(item.index)}
        disabled={item.status !== "new"}
        onChange={(event) => onSet([item], event.target.checked)}
        label={<span className="break-all">{itemName(item)}</span>}
        hint={hint}
      />
      {item.known && (
        <Link href={`/feeds/${item.known.feedId}`} className="ml-6 text-xs text-ink-muted">
          Open “{item.known.name}”
        </Link>
      )}
    </>
  );
}
