"use client";

import { useQuery } from "@tanstack/react-query";
import { CircleCheck, Plus, Rss, TriangleAlert } from "lucide-react";
import dynamic from "next/dynamic";
import { CallError } from "@/app/_shared/call-error";
import { StaleMark } from "@/app/(dashboard)/_components/stale-mark";
import { CALM_MS } from "@/app/(dashboard)/_lib/polling";
import type { Overview } from "@/app/(dashboard)/_lib/types";
import { useViewer } from "@/app/(dashboard)/_lib/viewer";
import { ActivityList } from "@/app/(dashboard)/overview/activity-list";
import { AttentionList } from "@/app/(dashboard)/overview/attention-list";
import { ChartsSkeleton } from "@/app/(dashboard)/overview/charts-skeleton";
import { ButtonLink } from "@/components/button";
import { classNames } from "@/components/class-names";
import { EmptyState } from "@/components/empty-state";
import { formatCount, roundCount } from "@/components/numbers";
import { PageHeader } from "@/components/page-header";
import { Stat, StatRow } from "@/components/panel";
import { RelativeTime } from "@/components/relative-time";
import { PanelSkeleton } from "@/components/skeleton";
import { useTRPC } from "@/trpc/client";
import { usePolling } from "@/trpc/use-live";

// The drawing library is large and the sentence above must not wait for it.
const Charts = dynamic(() => import("@/app/(dashboard)/overview/charts/charts"), {
  ssr: false,
  loading: ChartsSkeleton,
});

/** Is all well; if not, what to do; then how it has been going, and what happens now. */
export function OverviewView() {
  const trpc = useTRPC();
  const viewer = useViewer();
  const poll = usePolling();
  const query = useQuery(trpc.overview.get.queryOptions(undefined, { refetchInterval: () => poll(CALM_MS) }));
  const overview = query.data;
  return (
    <>
      <PageHeader
        title="Overview"
        actions={
          viewer.canWrite &&
          overview &&
          overview.health.level !== "empty" && (
            <ButtonLink href="/sources/new" variant="primary" icon={<Plus aria-hidden size={15} />}>
              Add source
            </ButtonLink>
          )
        }
      />
      {overview && <HealthSentence health={overview.health} />}
      <StaleMark query={query} />
      {query.isPending && <PanelSkeleton lines={5} />}
      {query.isError && !overview && (
        <CallError
          error={query.error}
          what="The overview could not be read"
          onRetry={() => void query.refetch()}
        />
      )}
      {overview?.health.level === "empty" ? (
        <EmptyState
          icon={<Rss aria-hidden size={28} />}
          title="Nothing is connected yet"
          action={
            viewer.canWrite && (
              <>
                <ButtonLink href="/sources/new" variant="primary" icon={<Plus aria-hidden size={15} />}>
                  Add source
                </ButtonLink>
                <ButtonLink href="/sources/import">Import OPML</ButtonLink>
              </>
            )
          }
        >
          Type the address of any site with a feed, or push documents with a program of yours. Whether all is
          well is then said here.
        </EmptyState>
      ) : (
        overview && (
          <div className="space-y-5">
            <Numbers overview={overview} />
            <AttentionList attention={overview.attention} />
            <Charts ingest={overview.ingest} />
            <ActivityList activity={overview.activity} />
          </div>
        )
      )}
    </>
  );
}

function HealthSentence({ health }: { health: Overview["health"] }) {
  if (health.level === "empty") return <p className="-mt-3 mb-5 text-sm text-ink-muted">{health.sentence}</p>;
  const isGood = health.level === "good";
  const Icon = isGood ? CircleCheck : TriangleAlert;
  return (
    <p className="-mt-3 mb-5 flex items-start gap-2 text-lg">
      <Icon
        aria-hidden
        size={18}
        className={classNames(
          "mt-0.75 shrink-0",
          isGood ? "text-ok" : health.level === "bad" ? "text-bad" : "text-warn",
        )}
      />
      {health.sentence}
    </p>
  );
}

function Numbers({ overview: { health, ingest } }: { overview: Overview }) {
  return (
    <StatRow label="The workspace in numbers">
      <Stat label="Sources" value={roundCount(health.sources)} title={formatCount(health.sources)} />
      <Stat label="Feeds" value={roundCount(health.feeds)} title={formatCount(health.feeds)} />
      <Stat label="Documents" value={roundCount(health.documents)} title={formatCount(health.documents)} />
      <Stat label="Runs under way" value={formatCount(health.activeRuns)} />
      <Stat label="Feeds due now" value={formatCount(health.due)} />
      <Stat
        label="Changed in the last hour"
        value={roundCount(ingest.documentsLastHour)}
        title={`${formatCount(ingest.documentsLastHour)} documents, ${ingest.documentsPerMinute} a minute`}
      />
      <Stat
        label="Last success"
        value={health.lastSuccessAt ? <RelativeTime at={health.lastSuccessAt} /> : "Never"}
      />
    </StatRow>
  );
}
