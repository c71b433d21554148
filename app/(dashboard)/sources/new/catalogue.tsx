"use client";

import { Globe, type LucideIcon, Mail, Search, Terminal, Waypoints } from "lucide-react";
import { useDeferredValue, useState } from "react";
import { type AdapterInfo, groupByCategory } from "@/app/(dashboard)/sources/new/pick-adapter";
import { ButtonLink } from "@/components/button";
import { FilterInput } from "@/components/field";
import { Link } from "@/components/link";

const PROGRAM = {
  type: "api",
  name: "Your own program",
  description: "Pushes documents over the API: anything that can send HTTP.",
  category: "Your own code",
};

type Entry = Pick<AdapterInfo, "type" | "name" | "description" | "category">;

/** A kind of upstream at a glance; one that is new here has a picture all the same. */
const ICONS: Record<string, LucideIcon> = {
  Websites: Globe,
  Newsletters: Mail,
  [PROGRAM.category]: Terminal,
};

function CategoryIcon({ category }: { category: string }) {
  const Icon = ICONS[category] ?? Waypoints;
  return <Icon aria-hidden size={18} className="mt-0.5 shrink-0 text-accent" />;
}

/** Everything this server can connect to, as its registry says it. */
export function Catalogue({ adapters }: { adapters: readonly AdapterInfo[] }) {
  const [search, setSearch] = useState("");
  const groups = groupByCategory<Entry>([...adapters, PROGRAM], useDeferredValue(search));
  return (
    <section aria-label="Catalogue" className="mt-6">
      <div className="mb-3 flex flex-wrap items-center justify-between gap-2">
        <h2 className="text-base font-semibold">Or choose what to connect</h2>
        <span className="relative">
          <Search
            aria-hidden
            size={14}
            className="pointer-events-none absolute top-1/2 left-2.5 -translate-y-1/2 text-ink-faint"
          />
          <FilterInput
            label="Search the catalogue"
            type="search"
            placeholder="Search"
            value={search}
            onChange={(event) => setSearch(event.target.value)}
            className="w-52 pl-8"
          />
        </span>
      </div>
      <p role="status" className="sr-only">
        {search && `${groups.reduce((sum, group) => sum + group.entries.length, 0)} found`}
      </p>
      {groups.length === 0 && (
        <p className="rounded-lg border border-dashed border-line-strong px-4 py-6 text-center text-sm text-ink-muted">
          Nothing here is called “{search}”. Anything that can send HTTP can push: choose{" "}
          <Link href="/sources/new?type=api">your own program</Link>.
        </p>
      )}
      <div className="mb-4 grid gap-x-3 gap-y-4 sm:grid-cols-2">
        {groups.map(({ category, entries }) => (
          <div key={category}>
            <h3 className="mb-1.5 text-xs font-medium text-ink-muted">{category}</h3>
            <ul className="grid gap-2">
              {entries.map((entry) => (
                <li key={entry.type}>
                  <Link
                    href={`/sources/new?type=${entry.type}`}
                    className="flex h-full gap-3 rounded-lg border border-line bg-surface p-3 no-underline hover:border-line-strong hover:bg-hover"
                  >
                    <CategoryIcon category={category} />
                    <span>
                      <span className="block text-base font-medium">{entry.name}</span>
                      <span className="block text-sm text-ink-muted">{entry.description}</span>
                    </span>
                  </Link>
                </li>
              ))}
            </ul>
          </div>
        ))}
      </div>
      <p className="flex flex-wrap items-center gap-2 text-sm text-ink-muted">
        Coming from another reader?{" "}
        <ButtonLink href="/sources/import" size="sm">
          Import OPML
        </ButtonLink>
      </p>
    </section>
  );
}
