"use client";

import { Ellipsis } from "lucide-react";
import { usePathname } from "next/navigation";
import { ENTRIES, type Entry } from "@/app/(dashboard)/_components/entries";
import { classNames } from "@/components/class-names";
import { Link } from "@/components/link";
import { Logo } from "@/components/logo";
import { Menu, MenuLink } from "@/components/menu";

const RAIL = ENTRIES.filter(({ place }) => place !== "inside");
const BAR = ENTRIES.filter(({ place }) => place === "bar");
const MORE = ENTRIES.filter(({ place }) => place === "more");

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
        {RAIL.map((entry) => (
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

function barItem(isHere: boolean): string {
  return classNames(
    "flex h-14 min-w-0 flex-1 flex-col items-center justify-center gap-1 text-xs tracking-[-0.03em] no-underline",
    isHere ? "font-medium text-accent" : "text-ink-muted",
  );
}

/** The same entries at the thumb's height on small screens; what is needed less stands behind the last. */
export function BottomBar() {
  const isCurrent = useCurrent();
  return (
    <nav
      aria-label="Main"
      className="fixed inset-x-0 bottom-0 z-30 flex border-t border-line bg-surface pb-[env(safe-area-inset-bottom)] md:hidden"
    >
      {BAR.map((entry) => (
        <Link
          key={entry.href}
          href={entry.href}
          aria-current={isCurrent(entry) ? "page" : undefined}
          className={barItem(isCurrent(entry))}
        >
          <entry.Icon aria-hidden size={18} />
          {entry.short ?? entry.label}
        </Link>
      ))}
      <Menu
        trigger={
          <button type="button" className={barItem(MORE.some(isCurrent))}>
            <Ellipsis aria-hidden size={18} />
            More
          </button>
        }
      >
        {MORE.map((entry) => (
          <MenuLink key={entry.href} href={entry.href} icon={<entry.Icon aria-hidden size={15} />}>
            {entry.label}
          </MenuLink>
        ))}
      </Menu>
    </nav>
  );
}
