"use client";

import { Command } from "cmdk";
import { Dialog } from "radix-ui";
import { type ReactNode, useEffect, useState } from "react";
import { type PaletteEntry, useEntries } from "@/app/(dashboard)/_components/command/use-entries";
import { useReturnFocus } from "@/components/return-focus";

/** More than reports come between two renderings. */
const RESYNC = 16;

/** Goes anywhere and does what is done most, from the keyboard. */
export function Palette({
  onClose,
  takeEarly,
  onHelp,
}: {
  onClose(): void;
  /** What was typed before this was there. */
  takeEarly(): string;
  onHelp(): void;
}) {
  const [text, setText] = useState("");
  const [moved, setMoved] = useState("");
  const [reports, setReports] = useState(0);
  const { groups, isPending } = useEntries(text, onHelp);
  const returnFocus = useReturnFocus();
  // After the dialog gave its input the focus: what comes from now on is typed into it.
  useEffect(() => setText((typed) => takeEarly() + typed), [takeEarly]);
  const entries = groups.flatMap((group) => group.entries);
  // Answers come and go while one types: whatever was marked, Enter takes something that is there.
  const marked = entries.some((entry) => entry.value === moved) ? moved : (entries[0]?.value ?? "");

  /**
   * cmdk reports what it marked, by an arrow key or because options came and went, and marks it inside
   * whatever we make of it. So after every report it is told what is marked.
   */
  function mark(value: string) {
    setMoved(value);
    setReports((count) => count + 1);
  }

  function select(entry: PaletteEntry) {
    onClose();
    entry.run();
  }

  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-40 bg-[oklch(0.15_0.02_220/0.45)]" />
        <Dialog.Content
          {...returnFocus}
          aria-describedby={undefined}
          className="animate-appear fixed inset-x-3 top-[12vh] z-50 mx-auto max-w-xl overflow-hidden rounded-lg border border-line-strong bg-raised shadow-menu outline-none"
        >
          <Dialog.Title className="sr-only">Search and commands</Dialog.Title>
          <Command
            label="Search and commands"
            loop
            shouldFilter={false}
            // It trims this, and only looks when it changed: another number of spaces makes it look again.
            value={marked + " ".repeat(reports % RESYNC)}
            onValueChange={mark}
          >
            <Command.Input
              value={text}
              onValueChange={(next) => {
                setText(next);
                setMoved("");
              }}
              placeholder="Page, source, feed, id or act"
              className="h-11 w-full border-b border-line bg-transparent px-4 text-base max-md:text-lg text-ink outline-none placeholder:text-ink-faint"
            />
            <Command.List
              // It scrolls with the arrows, which move through its options.
              tabIndex={-1}
              className="max-h-[min(56vh,26rem)] scroll-py-2 overflow-y-auto p-1.5"
            >
              {groups.map((group) => (
                <Group key={group.heading} heading={group.heading}>
                  {group.entries.map((entry) => (
                    <Item key={entry.value} entry={entry} onSelect={() => select(entry)} />
                  ))}
                </Group>
              ))}
            </Command.List>
            {/* Below the list, not in it: a list of options holds options alone. */}
            <p
              role="status"
              className={entries.length === 0 ? "px-3 pb-6 text-center text-sm text-ink-muted" : "sr-only"}
            >
              {entries.length === 0 && (isPending ? "Looking…" : `Nothing is called “${text.trim()}”.`)}
            </p>
          </Command>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function Group({ heading, children }: { heading: string; children: ReactNode }) {
  return (
    <Command.Group
      heading={heading}
      className="[&_[cmdk-group-heading]]:px-2.5 [&_[cmdk-group-heading]]:pt-2 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:text-xs [&_[cmdk-group-heading]]:text-ink-muted"
    >
      {children}
    </Command.Group>
  );
}

function Item({ entry, onSelect }: { entry: PaletteEntry; onSelect(): void }) {
  return (
    <Command.Item
      value={entry.value}
      onSelect={onSelect}
      className="flex h-8 max-md:h-10 cursor-pointer items-center gap-2.5 rounded-sm px-2.5 text-sm select-none data-[selected=true]:bg-accent-soft"
    >
      <entry.Icon aria-hidden size={14} className="shrink-0 text-ink-faint" />
      <span className="min-w-0 flex-1 truncate">{entry.label}</span>
      {entry.keys && <kbd className="text-xs text-ink-muted max-md:hidden">{entry.keys}</kbd>}
      {entry.hint && <span className="max-w-40 shrink-0 truncate text-xs text-ink-muted">{entry.hint}</span>}
    </Command.Item>
  );
}
