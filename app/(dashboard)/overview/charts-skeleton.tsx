import { Skeleton } from "@/components/skeleton";

/** Four charts' shapes while they are on their way. */
export function ChartsSkeleton() {
  return (
    <div role="status" aria-label="Loading" className="grid gap-4 lg:grid-cols-2">
      {["changes", "outcomes", "durations", "rate"].map((chart) => (
        <div key={chart} className="rounded-lg border border-line bg-surface p-4">
          <Skeleton className="mb-2 h-4 w-40" />
          <Skeleton className="mb-3 h-3.5 w-56" />
          <Skeleton className="h-44 w-full" />
        </div>
      ))}
    </div>
  );
}
