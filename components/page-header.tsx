import { ChevronRight } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "@/components/link";

export type Crumb = { label: string; href: string };

/** One title, one primary act at its right, a breadcrumb when the page is below another. */
export function PageHeader({
  title,
  crumbs,
  meta,
  actions,
}: {
  title: string;
  crumbs?: Crumb[];
  /** Beside and below the title: status, id, what kind of thing it is. */
  meta?: ReactNode;
  actions?: ReactNode;
}) {
  return (
    <header className="mb-5 flex flex-wrap items-end justify-between gap-x-4 gap-y-3">
      <div className="min-w-0 flex-1 basis-40 md:basis-72">
        {crumbs && (
          <nav aria-label="Breadcrumb" className="mb-1 max-md:-my-1.5">
            <ol className="flex flex-wrap items-center gap-1 text-sm text-ink-muted">
              {crumbs.map((crumb, index) => (
                <li key={crumb.href} className="flex min-w-0 items-center gap-1">
                  {index > 0 && <ChevronRight aria-hidden size={13} className="shrink-0 text-ink-faint" />}
                  <Link
                    href={crumb.href}
                    className="max-w-56 truncate no-underline hover:text-ink hover:underline max-md:py-2.5"
                  >
                    {crumb.label}
                  </Link>
                </li>
              ))}
            </ol>
          </nav>
        )}
        <h1 className="text-xl font-semibold tracking-[-0.01em] break-words">{title}</h1>
        {meta && (
          <div className="mt-1.5 flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-ink-muted">
            {meta}
          </div>
        )}
      </div>
      {actions && <div className="flex flex-wrap items-center gap-2">{actions}</div>}
    </header>
  );
}
