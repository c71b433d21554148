"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import {
  FileUp,
  Hash,
  Keyboard,
  type LucideIcon,
  Moon,
  Plus,
  RefreshCw,
  Rss,
  Sun,
  Waypoints,
} from "lucide-react";
import { useParams, useRouter } from "next/navigation";
import { useDeferredValue } from "react";
import { findIdTarget } from "@/app/(dashboard)/_components/command/id-target";
import { usePaletteActs } from "@/app/(dashboard)/_components/command/use-palette-acts";
import { ENTRIES } from "@/app/(dashboard)/_components/entries";
import { useViewer } from "@/app/(dashboard)/_lib/viewer";
import { applyTheme } from "@/components/theme";
import { useTRPC } from "@/trpc/client";

export type PaletteEntry = {
  /** Its own among all entries. */
  value: string;
  label: string;
  hint?: string;
  /** What to press instead, where there is a keyboard. */
  keys?: string;
  Icon: LucideIcon;
  run(): void;
};

export type PaletteGroup = { heading: string; entries: PaletteEntry[] };

const SHOWN = 6;

/** What the typed text may mean. What is known at once stands first, so that nothing slips downwards. */
export function useEntries(text: string, onHelp: () => void): { groups: PaletteGroup[]; isPending: boolean } {
  const router = useRouter();
  const found = useFound(text);
  const acts = useActs(onHelp);
  const go = (href: string) => () => router.push(href);
  const target = findIdTarget(text);
  const pages = ENTRIES.map(({ href, label, short = "", Icon, key }) => ({
    value: href,
    label,
    keys: `g ${key}`,
    Icon,
    run: go(href),
    also: `go to page ${short}`,
  }));
  const groups: PaletteGroup[] = [
    {
      heading: "By its id",
      entries: target
        ? [
            {
              value: target.id,
              label: `Open ${target.word} ${target.id}`,
              Icon: Hash,
              run: go(target.href),
            },
          ]
        : [],
    },
    { heading: "Pages", entries: matching(pages, text) },
    { heading: "Acts", entries: matching(acts, text) },
    {
      heading: "Sources",
      entries: found.sources.map(({ id, name }) => ({
        value: id,
        label: name,
        Icon: Rss,
        run: go(`/sources/${id}`),
      })),
    },
    {
      heading: "Feeds",
      entries: found.feeds.map(({ id, displayName, sourceName }) => ({
        value: id,
        label: displayName,
        hint: sourceName,
        Icon: Waypoints,
        run: go(`/feeds/${id}`),
      })),
    },
  ];
  return { groups: groups.filter((group) => group.entries.length > 0), isPending: found.isPending };
}

type Searchable = PaletteEntry & { /** Other words for it. */ also: string };

function useActs(onHelp: () => void): Searchable[] {
  const router = useRouter();
  const viewer = useViewer();
  const { feedId, sourceId } = useParams<{ feedId?: string; sourceId?: string }>();
  const { syncFeed, syncSource } = usePaletteActs();
  const acts: (Searchable | false | undefined | "")[] = [
    viewer.canWrite &&
      feedId && {
        value: "sync feed",
        label: "Sync this feed now",
        Icon: RefreshCw,
        run: () => syncFeed(feedId),
        also: "",
      },
    viewer.canWrite &&
      sourceId && {
        value: "sync source",
        label: "Sync this source now",
        Icon: RefreshCw,
        run: () => syncSource(sourceId),
        also: "",
      },
    viewer.canWrite && {
      value: "add source",
      label: "Add source",
      Icon: Plus,
      run: () => router.push("/sources/new"),
      also: "connect new feed",
    },
    viewer.canWrite && {
      value: "import opml",
      label: "Import OPML",
      Icon: FileUp,
      run: () => router.push("/sources/import"),
      also: "reader subscriptions",
    },
    { value: "light", label: "Light theme", Icon: Sun, run: () => applyTheme("light"), also: "colour" },
    { value: "dark", label: "Dark theme", Icon: Moon, run: () => applyTheme("dark"), also: "colour" },
    {
      value: "keyboard",
      label: "Keyboard",
      keys: "?",
      Icon: Keyboard,
      run: onHelp,
      also: "help shortcuts keys",
    },
  ];
  return acts.filter((act): act is Searchable => Boolean(act));
}

function matching(entries: Searchable[], text: string): PaletteEntry[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return entries.filter((entry) => {
    const own = `${entry.label} ${entry.also}`.toLowerCase();
    return words.every((word) => own.includes(word));
  });
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
