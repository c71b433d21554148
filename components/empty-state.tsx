import type { ReactNode } from "react";

/** Nothing here yet: one sentence that teaches, one thing to do. */
export function EmptyState({
  icon,
  title,
  children,
  action,
}: {
  icon?: ReactNode;
  title: string;
  children: ReactNode;
  action?: ReactNode;
}) {
  return (
    <div className="flex flex-col items-center rounded-lg border border-dashed border-line-strong bg-surface px-6 py-10 text-center">
      {icon && <span className="mb-3 text-ink-faint">{icon}</span>}
      <p className="text-base font-medium">{title}</p>
      <p className="mt-1 max-w-md text-sm text-balance text-ink-muted">{children}</p>
      {action && <div className="mt-4 flex flex-wrap justify-center gap-2">{action}</div>}
    </div>
  );
}
