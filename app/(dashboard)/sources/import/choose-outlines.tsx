"use client";

import { useMemo, useState } from "react";
import { FolderRows } from "@/app/(dashboard)/sources/import/folder-rows";
import {
  type Item,
  importable,
  itemName,
  type Preview,
  toTree,
} from "@/app/(dashboard)/sources/import/outline-tree";
import { Button } from "@/components/button";
import { EmptyState } from "@/components/empty-state";
import { FilterInput } from "@/components/field";
import { countOf } from "@/components/numbers";
import { Panel } from "@/components/panel";
import { useFocusOnMount } from "@/components/use-focus-on-mount";

/** What the file would bring, in its own folders; all that is new is chosen. */
export function ChooseOutlines({
  preview,
  onImport,
  onBack,
}: {
  preview: Preview;
  onImport(items: Item[]): void;
  onBack(): void;
}) {
  const { items, counts } = preview;
  const fresh = useMemo(() => importable(toTree(items)), [items]);
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set(fresh.map((item) => item.index)));
  const start = useFocusOnMount<HTMLParagraphElement>();
  const [search, setSearch] = useState("");
  const words = search.trim().toLowerCase();
  const shown = useMemo(
    () =>
      toTree(
        items.filter((item) =>
          `${itemName(item)} ${item.shownUrl} ${item.groups.join(" ")}`.toLowerCase().includes(words),
        ),
      ),
    [items, words],
  );
  const picked = fresh.filter((item) => chosen.has(item.index));
  const visible = importable(shown);

  function set(which: readonly Item[], isChosen: boolean) {
    const next = new Set(chosen);
    for (const item of which) {
      if (isChosen) next.add(item.index);
      else next.delete(item.index);
    }
    setChosen(next);
  }

  if (items.length === 0) {
    return (
      <EmptyState
        title="The file lists no feed"
        action={<Button onClick={onBack}>Choose another file</Button>}
      >
        It is OPML, but without a single address in it.
      </EmptyState>
    );
  }
  return (
    <Panel
      title={preview.title ?? "What is in the file"}
      action={
        <span className="flex gap-1">
          <Button size="sm" variant="ghost" onClick={() => set(visible, true)}>
            Choose all
          </Button>
          <Button size="sm" variant="ghost" onClick={() => set(visible, false)}>
            None
          </Button>
        </span>
      }
      flush
    >
      <div className="flex flex-wrap items-center justify-between gap-2 border-b border-line px-4 py-2.5">
        <p ref={start} tabIndex={-1} role="status" className="text-sm outline-none">
          {countOf(counts.new, "new feed")}
          {counts.duplicate > 0 && `, ${countOf(counts.duplicate, "duplicate")}`}
          {counts.invalid > 0 && `, ${countOf(counts.invalid, "entry", "entries")} that cannot be read`}
        </p>
        <FilterInput
          label="Search the file"
          type="search"
          placeholder="Search"
          value={search}
          onChange={(event) => setSearch(event.target.value)}
          className="w-52 max-md:w-full"
        />
      </div>
      <div className="max-h-[58vh] overflow-y-auto px-4 py-2">
        <FolderRows folder={shown} chosen={chosen} onSet={set} />
        {shown.items.length + shown.folders.length === 0 && (
          <p className="py-6 text-center text-sm text-ink-muted">Nothing in the file is called “{search}”.</p>
        )}
      </div>
      <div className="flex flex-wrap items-center gap-2 border-t border-line px-4 py-3">
        <Button variant="primary" disabled={picked.length === 0} onClick={() => onImport(picked)}>
          Import {countOf(picked.length, "feed")}
        </Button>
        <Button variant="ghost" onClick={onBack}>
          Choose another file
        </Button>
      </div>
    </Panel>
  );
}
