import { classNames } from "@/components/class-names";

/** A breathing block in the place of something that is on its way. */
export function Skeleton({ className }: { className?: string }) {
  return <span aria-hidden className={classNames("skeleton block", className ?? "h-4 w-24")} />;
}

/** A table's shape while its rows are on their way. */
export function TableSkeleton({ rows = 6, columns = 5 }: { rows?: number; columns?: number }) {
  return (
    <div role="status" aria-label="Loading" className="rounded-lg border border-line bg-surface">
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows are alike and never move
        <div key={row} className="flex h-9 items-center gap-6 border-b border-line px-3 last:border-b-0">
          <Skeleton className="h-3.5 w-2/5" />
          {Array.from({ length: columns - 1 }, (_, column) => (
            <Skeleton
              // biome-ignore lint/suspicious/noArrayIndexKey: as above
              key={column}
              className={classNames("h-3.5 flex-1", column > 1 && "max-md:hidden")}
            />
          ))}
        </div>
      ))}
    </div>
  );
}

/** A block of labelled values while they are on their way. */
export function PanelSkeleton({ lines = 4 }: { lines?: number }) {
  return (
    <div
      role="status"
      aria-label="Loading"
      className="space-y-3 rounded-lg border border-line bg-surface p-4"
    >
      <Skeleton className="h-5 w-48" />
      {Array.from({ length: lines }, (_, line) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines are alike and never move
        <Skeleton key={line} className="h-4 w-full max-w-lg" />
      ))}
    </div>
  );
}
