import { ChevronRight } from "lucide-react";
import type { ReactNode } from "react";

/** Detail kept out of the way until it is asked for. */
export function Fold({
  summary,
  children,
  open,
}: {
  summary: ReactNode;
  children: ReactNode;
  open?: boolean;
}) {
  return (
    <details open={open} className="group">
      <summary className="inline-flex list-none max-md:-my-1.5 max-md:min-h-10 items-center gap-1 rounded-sm text-sm text-ink-muted hover:text-ink [&::-webkit-details-marker]:hidden">
        <ChevronRight
          aria-hidden
          size={14}
          className="transition-transform duration-100 group-open:rotate-90"
        />
        {summary}
      </summary>
      <div className="mt-2">{children}</div>
    </details>
  );
}

/** Text exactly as it came; scrolls inside itself. */
export function RawText({ children, label }: { children: string; label: string }) {
  return (
    // A region that scrolls must be reachable by keyboard.
    <section
      // biome-ignore lint/a11y/noNoninteractiveTabindex: see above
      tabIndex={0}
      aria-label={label}
      className="max-h-72 overflow-auto rounded-md border border-line bg-sunken p-3"
    >
      <pre className="text-xs leading-4.5 break-all whitespace-pre-wrap text-ink">{children}</pre>
    </section>
  );
}
