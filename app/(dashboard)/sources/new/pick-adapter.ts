import type { Outputs } from "@/app/(dashboard)/_lib/types";

export type AdapterInfo = Outputs["adapters"]["list"][number];

/**
 * Which adapter a typed address is for: the one made for its host, else the first that reads addresses
 * of any host. Null when this server has none that can look for feeds.
 */
export function pickAdapter(adapters: readonly AdapterInfo[], address: string): AdapterInfo | null {
  const searching = adapters.filter((adapter) => adapter.canDiscover && adapter.externalKeyIsUrl);
  const host = hostOf(address);
  const isFor = (adapter: AdapterInfo) =>
    adapter.hosts.some((name) => host === name || host?.endsWith(`.${name}`));
  return searching.find(isFor) ?? searching.find((adapter) => adapter.hosts.length === 0) ?? null;
}

/** People type `example.org`; browsers understand it, so do we. */
function hostOf(address: string): string | null {
  const typed = address.trim();
  const url = /^[a-z][a-z0-9+.-]*:\/\//i.test(typed) ? typed : `https://${typed}`;
  return URL.canParse(url) ? new URL(url).hostname : null;
}

/** The adapters under their headings, in the registry's order; `search` looks at every word. */
export function groupByCategory<
  Entry extends Pick<AdapterInfo, "name" | "description" | "category" | "type">,
>(entries: readonly Entry[], search: string): { category: string; entries: Entry[] }[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const groups = new Map<string, Entry[]>();
  for (const entry of entries) {
    const text = `${entry.name} ${entry.description} ${entry.category} ${entry.type}`.toLowerCase();
    if (!words.every((word) => text.includes(word))) continue;
    groups.set(entry.category, [...(groups.get(entry.category) ?? []), entry]);
  }
  return [...groups].map(([category, found]) => ({ category, entries: found }));
}
