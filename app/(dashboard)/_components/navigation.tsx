"use client";

import { Activity, FileText, Gauge, History, KeyRound, type LucideIcon, Rss, Webhook } from "lucide-react";
import Link from "next/link";
import { usePathname } from "next/navigation";
import { classNames } from "@/components/class-names";
import { Logo } from "@/components/logo";

type Entry = {
  href: string;
  label: string;
  short?: string;
  Icon: LucideIcon;
  key: string;
  below: string[];
  isInBar?: false;
};

/**
 * `below`: pages that belong to an entry although their address begins otherwise. `key`: what is pressed
 * after g to go there. `short`: where the thumb's bar has no room; `isInBar` false: not in it at all, a page there leads to it. The command palette and the help sheet read this list too.
 */
export const ENTRIES: Entry[] = [
  { href: "/overview", label: "Overview", Icon: Gauge, key: "o", below: [] },
  { href: "/sources", label: "Sources", Icon: Rss, key: "s", below: ["/feeds"] },
  { href: "/runs", label: "Runs", Icon: History, key: "r", below: [] },
  { href: "/documents", label: "Documents", Icon: FileText, key: "d", below: [] },
  { href: "/changes", label: "Change feed", short: "Changes", Icon: Activity, key: "c", below: [] },
  { href: "/tokens", label: "API", Icon: KeyRound, key: "a", below: [] },
  { href: "/webhooks", label: "Webhooks", Icon: Webhook, key: "w", below: [], isInBar: false },
];

function useCurrent() {
  const path = usePathname();
  return (entry: Entry) =>
    [entry.href, ...entry.below].some((prefix) => path === prefix || path.startsWith(`${prefix}/`));
}

/** The left rail: icons over labels on tablets, beside them on wide screens. */
export function Rail() {
  const isCurrent = useCurrent();
  return (
    <aside className="sticky top-0 h-dvh w-19 shrink-0 border-r border-line bg-sunken max-md:hidden lg:w-44">
      <Link
        href="/overview"
        aria-label="Tidemark, to Overview"
        className="flex h-12 items-center justify-center gap-2 font-semibold text-ink tracking-[-0.01em] no-underline lg:justify-start lg:px-4"
      >
        <Logo />
        <span className="text-base max-lg:hidden">Tidemark</span>
      </Link>
      <nav aria-label="Main" className="space-y-0.5 p-2">
        {ENTRIES.map((entry) => (
          <Link
            key={entry.href}
            href={entry.href}
            aria-current={isCurrent(entry) ? "page" : undefined}
            className={classNames(
              "relative flex items-center rounded-md text-ink-muted no-underline transition-colors duration-100 hover:bg-hover hover:text-ink",
              "h-13 flex-col justify-center gap-1 text-xs lg:h-8 lg:flex-row lg:justify-start lg:gap-2.5 lg:px-2 lg:text-sm",
              "aria-[current]:bg-surface aria-[current]:font-medium aria-[current]:text-ink aria-[current]:ring-1 aria-[current]:ring-line",
            )}
          >
            <entry.Icon aria-hidden size={16} className={isCurrent(entry) ? "text-accent" : undefined} />
            {entry.label}
          </Link>
        ))}
      </nav>
    </aside>
  );
}

/** The same entries at the thumb's height on small screens. */
export function BottomBar() {
  const isCurrent = useCurrent();
  return (
    <nav
      aria-label="Main"
      className="fixed inset-x-0 bottom-0 z-30 flex border-t border-line bg-surface pb-[env(safe-area-inset-bottom)] md:hidden"
    >
      {ENTRIES.filter((entry) => entry.isInBar !== false).map((entry) => (
        <Link
          key={entry.href}
          href={entry.href}
          aria-current={isCurrent(entry) ? "page" : undefined}
          className="flex h-14 min-w-0 flex-1 flex-col items-center justify-center gap-1 text-xs tracking-[-0.03em] text-ink-muted no-underline aria-[current]:font-medium aria-[current]:text-accent"
        >
          <entry.Icon aria-hidden size={18} />
          {entry.short ?? entry.label}
        </Link>
      ))}
    </nav>
  );
}
