import type { ReactNode } from "react";
import { classNames } from "@/components/class-names";

/** A bordered block with an optional heading and act. */
export function Panel({
  title,
  action,
  children,
  className,
  flush,
}: {
  title?: ReactNode;
  action?: ReactNode;
  children: ReactNode;
  className?: string;
  /** No padding: the content draws its own edges. */
  flush?: boolean;
}) {
  return (
    <section className={classNames("rounded-lg border border-line bg-surface", className)}>
      {title && (
        <header className="flex min-h-10 items-center justify-between gap-3 border-b border-line px-4 py-1.5">
          <h2 className="text-sm font-semibold">{title}</h2>
          {action}
        </header>
      )}
      <div className={flush ? undefined : "p-4"}>{children}</div>
    </section>
  );
}

/** A number that matters, under its name. */
export function Stat({
  label,
  value,
  title,
  tone,
}: {
  label: ReactNode;
  value: ReactNode;
  /** The exact value, on hover. */
  title?: string;
  tone?: "bad" | "warn";
}) {
  return (
    <div
      className="min-w-0 bg-surface px-4 py-3 max-md:last:odd:col-span-2 md:flex-1 md:basis-32"
      title={title}
    >
      <dt className="text-xs text-ink-muted">{label}</dt>
      <dd
        className={classNames(
          "mt-0.5 truncate text-lg font-medium tabular-nums",
          tone === "bad" && "text-bad",
          tone === "warn" && "text-warn",
        )}
      >
        {value}
      </dd>
    </div>
  );
}

/** Numbers side by side, divided by hairlines. */
export function StatRow({ children, label }: { children: ReactNode; label?: string }) {
  return (
    <dl
      aria-label={label}
      className="grid grid-cols-2 gap-px overflow-hidden rounded-lg border border-line bg-line md:flex md:flex-wrap"
    >
      {children}
    </dl>
  );
}
