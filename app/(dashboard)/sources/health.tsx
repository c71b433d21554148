"use client";

import { useQuery } from "@tanstack/react-query";
import { CircleCheck, TriangleAlert } from "lucide-react";
import { StatusBadge } from "@/app/(dashboard)/_components/status-badge";
import { CALM_MS } from "@/app/(dashboard)/_lib/polling";
import { Link } from "@/components/link";
import { Sentence } from "@/components/sentence";
import { Skeleton } from "@/components/skeleton";
import { useTRPC } from "@/trpc/client";
import { usePolling } from "@/trpc/use-live";

const NAMED = 5;

/** One sentence on whether all is well, whatever the filters below say; then which is not and why. */
export function Health() {
  const trpc = useTRPC();
  const poll = usePolling();
  const options = { refetchInterval: () => poll(CALM_MS) };
  const failing = useQuery(trpc.sources.list.queryOptions({ limit: NAMED, status: "failing" }, options));
  const unplugged = useQuery(
    trpc.sources.list.queryOptions({ limit: NAMED, status: "needs_reconnect" }, options),
  );

  if (!failing.data || !unplugged.data) return <Skeleton className="mb-4 h-5 w-72" />;
  const troubled = [...unplugged.data.items, ...failing.data.items];
  if (troubled.length === 0) {
    return (
      <p className="mb-4 flex items-center gap-2 text-base">
        <CircleCheck aria-hidden size={16} className="text-ok" />
        All is well: no source fails and none needs reconnecting.
      </p>
    );
  }
  const hasMore = failing.data.nextAfter !== null || unplugged.data.nextAfter !== null;
  const problems = troubled.flatMap((source) => source.problems);
  return (
    <section aria-label="Needs attention" className="mb-4 rounded-lg border border-line bg-surface">
      <h2 className="flex items-center gap-2 px-4 pt-3 pb-2 text-base font-medium">
        <TriangleAlert aria-hidden size={16} className="text-bad" />
        {hasMore
          ? `${troubled.length} sources or more need`
          : troubled.length === 1
            ? "1 source needs"
            : `${troubled.length} sources need`}{" "}
        attention.
      </h2>
      <ul>
        {problems.slice(0, NAMED).map((problem) => (
          <li
            key={problem.feedId}
            className="flex flex-wrap items-baseline gap-x-3 gap-y-1 border-t border-line px-4 py-2 text-sm"
          >
            <Link href={`/feeds/${problem.feedId}`} className="font-medium">
              {problem.name}
            </Link>
            <StatusBadge status={problem.status} />
            <span className="min-w-0 basis-full text-ink-muted sm:basis-0 sm:flex-1">
              <Sentence>{problem.message}</Sentence>
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
