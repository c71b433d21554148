"use client";

import { usePathname } from "next/navigation";
import { GUIDES } from "@/app/docs/guides";
import { Link } from "@/components/link";

const PAGES = [
  { href: "/docs", title: "API reference" },
  ...GUIDES.map(({ name, title }) => ({ href: `/docs/${name}`, title })),
];

/** What there is to read: beside the page, on narrow screens folded above it. */
export function GuideNav() {
  const path = usePathname();
  const links = (
    <ul className="space-y-0.5">
      {PAGES.map(({ href, title }) => (
        <li key={href}>
          <Link
            href={href}
            aria-current={path === href ? "page" : undefined}
            className="flex h-8 items-center rounded-md px-2 text-sm text-ink-muted no-underline hover:bg-hover hover:text-ink aria-[current]:bg-surface aria-[current]:font-medium aria-[current]:text-ink aria-[current]:ring-1 aria-[current]:ring-line max-lg:h-10"
          >
            {title}
          </Link>
        </li>
      ))}
    </ul>
  );
  return (
    <>
      <nav aria-label="Documentation" className="sticky top-4 mt-4 w-44 shrink-0 self-start max-lg:hidden">
        {links}
      </nav>
      {/* Closed again by whoever goes to another page: each has its own. */}
      <details key={path} className="rounded-lg border border-line bg-surface lg:hidden">
        <summary className="flex h-10 items-center px-3 text-sm font-medium">
          {PAGES.find(({ href }) => href === path)?.title ?? "Documentation"}
          <span className="ml-auto text-xs font-normal text-ink-muted">All guides</span>
        </summary>
        <nav aria-label="Documentation" className="border-t border-line p-1">
          {links}
        </nav>
      </details>
    </>
  );
}
