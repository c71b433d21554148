"use client";

import { useQuery } from "@tanstack/react-query";
import { dayInWords, FeedStrip, stripInWords } from "@/app/(dashboard)/_components/feed-strip";
import { CALM_MS } from "@/app/(dashboard)/_lib/polling";
import { countOf } from "@/components/numbers";
import { useTRPC } from "@/trpc/client";
import { usePolling } from "@/trpc/use-live";

/** How the last thirty days went, day by day. */
export function FeedHealth({ feedId }: { feedId: string }) {
  const trpc = useTRPC();
  const poll = usePolling();
  const history = useQuery(
    trpc.feeds.history.queryOptions({ feedIds: [feedId] }, { refetchInterval: () => poll(CALM_MS) }),
  );
  const days = history.data?.[0]?.days;
  return (
    <section aria-label="The last 30 days" className="rounded-lg border border-line bg-surface px-4 py-3">
      <p className="mb-2 flex flex-wrap justify-between gap-x-4 text-xs text-ink-muted">
        <span>Runs of the last 30 days</span>
        <span>{days ? stripInWords(days) : ""}</span>
      </p>
      <FeedStrip days={days} tall />
      {days && (
        <ol aria-label="Runs by day, UTC" className="sr-only">
          {days.map((day) => (
            <li key={day.day}>
              {day.day}: {dayInWords(day)}, {countOf(day.changes, "document")} changed
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}
