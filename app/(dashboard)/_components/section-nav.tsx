"use client";

import { ExternalLink } from "lucide-react";
import { usePathname } from "next/navigation";
import type { ReactNode } from "react";
import { Link } from "@/components/link";

/** The pages of one part of the product, side by side; beside them what stands elsewhere. */
export function SectionNav({
  label,
  pages,
  children,
}: {
  label: string;
  pages: readonly { href: string; label: string }[];
  children?: ReactNode;
}) {
  const path = usePathname();
  return (
    <nav
      aria-label={label}
      className="mb-5 flex flex-wrap items-center justify-between gap-x-6 border-b border-line"
    >
      <ul className="-mb-px flex gap-4">
        {pages.map((page) => (
          <li key={page.href}>
            <Link
              href={page.href}
              aria-current={path === page.href ? "page" : undefined}
              className="flex h-9 items-center border-b-2 border-transparent text-sm text-ink-muted no-underline hover:text-ink focus-visible:-outline-offset-2 aria-[current]:border-accent aria-[current]:font-medium aria-[current]:text-ink max-md:h-11"
            >
              {page.label}
            </Link>
          </li>
        ))}
      </ul>
      {children && <ul className="flex flex-wrap gap-x-4">{children}</ul>}
    </nav>
  );
}

/** A page outside of the dashboard's frame, in a tab of its own. */
export function OutsideLink({ href, children }: { href: string; children: string }) {
  return (
    <li>
      <a
        href={href}
        target="_blank"
        rel="noopener"
        className="flex h-9 items-center gap-1.5 text-sm text-ink-muted no-underline hover:text-ink max-md:h-11"
      >
        {children}
        <ExternalLink aria-hidden size={13} />
        <span className="sr-only">, opens in a new tab</span>
      </a>
    </li>
  );
}
