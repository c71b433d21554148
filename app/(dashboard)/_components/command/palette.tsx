"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Command, useCommandState } from "cmdk";
import { FileUp, Hash, Keyboard, Moon, Plus, RefreshCw, Rss, Sun, Waypoints } from "lucide-react";
import { useParams, useRouter } from "next/navigation";
import { Dialog } from "radix-ui";
import { type ReactNode, useDeferredValue, useState } from "react";
import { findIdTarget } from "@/app/(dashboard)/_components/command/id-target";
import { usePaletteActs } from "@/app/(dashboard)/_components/command/use-palette-acts";
import { ENTRIES } from "@/app/(dashboard)/_components/navigation";
import { useViewer } from "@/app/(dashboard)/_lib/viewer";
import { useReturnFocus } from "@/components/return-focus";
import { applyTheme } from "@/components/theme";
import { useTRPC } from "@/trpc/client";

const SHOWN = 6;

/** Goes anywhere and does what is done most, from the keyboard. */
export function Palette({ onClose, onHelp }: { onClose(): void; onHelp(): void }) {
  const [text, setText] = useState("");
  const router = useRouter();
  const viewer = useViewer();
  const params = useParams<{ feedId?: string; sourceId?: string }>();
  const acts = usePaletteActs();
  const found = useFound(text);
  const returnFocus = useReturnFocus();
  const target = findIdTarget(text);
  const go = (href: string) => () => {
    onClose();
    router.push(href);
  };
  const act = (run: () => void) => () => {
    onClose();
    run();
  };

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
          <Command label="Search and commands" loop>
            <Command.Input
              value={text}
              onValueChange={setText}
              placeholder="Go to a page, source or feed, paste an id, or name an act"
              className="h-11 w-full border-b border-line bg-transparent px-4 text-base text-ink outline-none placeholder:text-ink-faint"
            />
            <Command.List
              // What scrolls must be reachable by keyboard; the options move with the arrows.
              tabIndex={-1}
              className="max-h-[min(56vh,26rem)] scroll-py-2 overflow-y-auto p-1.5"
            >
              {target && (
                <Group heading="By its id">
                  <Item value={`id ${text}`} keywords={[text]} icon={<Hash />} onSelect={go(target.href)}>
                    Open {target.word} <code className="text-xs">{target.id}</code>
                  </Item>
                </Group>
              )}
              {found.sources.length > 0 && (
                <Group heading="Sources">
                  {found.sources.map((source) => (
                    <Item
                      key={source.id}
                      value={source.id}
                      keywords={[source.name, text]}
                      icon={<Rss />}
                      onSelect={go(`/sources/${source.id}`)}
                    >
                      {source.name}
                    </Item>
                  ))}
                </Group>
              )}
              {found.feeds.length > 0 && (
                <Group heading="Feeds">
                  {found.feeds.map((feed) => (
                    <Item
                      key={feed.id}
                      value={feed.id}
                      keywords={[feed.displayName, text]}
                      icon={<Waypoints />}
                      hint={feed.sourceName}
                      onSelect={go(`/feeds/${feed.id}`)}
                    >
                      {feed.displayName}
                    </Item>
                  ))}
                </Group>
              )}
              <Group heading="Pages">
                {ENTRIES.map((entry) => (
                  <Item
                    key={entry.href}
                    value={`go to ${entry.label}`}
                    icon={<entry.Icon />}
                    hint={`g ${entry.key}`}
                    onSelect={go(entry.href)}
                  >
                    {entry.label}
                  </Item>
                ))}
              </Group>
              <Group heading="Acts">
                {viewer.canWrite && params.feedId && (
                  <Item
                    value="sync this feed now"
                    icon={<RefreshCw />}
                    onSelect={act(() => acts.syncFeed(params.feedId ?? ""))}
                  >
                    Sync this feed now
                  </Item>
                )}
                {viewer.canWrite && params.sourceId && (
                  <Item
                    value="sync this source now"
                    icon={<RefreshCw />}
                    onSelect={act(() => acts.syncSource(params.sourceId ?? ""))}
                  >
                    Sync this source now
                  </Item>
                )}
                {viewer.canWrite && (
                  <>
                    <Item value="add source connect" icon={<Plus />} onSelect={go("/sources/new")}>
                      Add source
                    </Item>
                    <Item value="import opml" icon={<FileUp />} onSelect={go("/sources/import")}>
                      Import OPML
                    </Item>
                  </>
                )}
                <Item value="theme light" icon={<Sun />} onSelect={act(() => applyTheme("light"))}>
                  Light theme
                </Item>
                <Item value="theme dark" icon={<Moon />} onSelect={act(() => applyTheme("dark"))}>
                  Dark theme
                </Item>
                <Item value="keyboard help shortcuts" icon={<Keyboard />} hint="?" onSelect={onHelp}>
                  Keyboard
                </Item>
              </Group>
            </Command.List>
            <NoMatch>{found.isPending ? "Looking…" : `Nothing is called “${text.trim()}”.`}</NoMatch>
          </Command>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

/** Sources and feeds of that name; the newest ones while nothing is typed would only be noise. */
function useFound(text: string) {
  const trpc = useTRPC();
  const q = useDeferredValue(text.trim()).slice(0, 200);
  const enabled = q.length > 0 && !findIdTarget(q);
  const options = { enabled, placeholderData: keepPreviousData };
  const sources = useQuery(trpc.sources.list.queryOptions({ q, limit: SHOWN }, options));
  const feeds = useQuery(trpc.feeds.list.queryOptions({ q, limit: SHOWN }, options));
  return {
    isPending: enabled && (sources.isFetching || feeds.isFetching),
    sources: enabled ? (sources.data?.items ?? []) : [],
    feeds: enabled ? (feeds.data?.items ?? []) : [],
  };
}

/** Below the list, not in it: a list of options holds options alone. */
function NoMatch({ children }: { children: ReactNode }) {
  const isEmpty = useCommandState((state) => state.filtered.count === 0);
  return (
    <p role="status" className={isEmpty ? "px-3 pb-6 text-center text-sm text-ink-muted" : "sr-only"}>
      {isEmpty && children}
    </p>
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

function Item({
  value,
  keywords,
  icon,
  hint,
  onSelect,
  children,
}: {
  value: string;
  keywords?: string[];
  icon: ReactNode;
  hint?: string;
  onSelect(): void;
  children: ReactNode;
}) {
  return (
    <Command.Item
      value={value}
      keywords={keywords}
      onSelect={onSelect}
      className="flex h-8 cursor-pointer items-center gap-2.5 rounded-sm px-2.5 text-sm select-none data-[selected=true]:bg-hover"
    >
      <span aria-hidden className="shrink-0 text-ink-faint [&>svg]:size-3.5">
        {icon}
      </span>
      <span className="min-w-0 flex-1 truncate">{children}</span>
      {hint && <span className="max-w-40 shrink-0 truncate text-xs text-ink-muted">{hint}</span>}
    </Command.Item>
  );
}
