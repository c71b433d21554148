"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { CallError } from "@/app/_shared/call-error";
import type { ChartDay, Overview } from "@/app/(dashboard)/_lib/types";
import { ChartFrame } from "@/app/(dashboard)/overview/charts/chart-frame";
import { COLOURS } from "@/app/(dashboard)/overview/charts/colours";
import { Lines } from "@/app/(dashboard)/overview/charts/lines";
import type { ChartRow, Series } from "@/app/(dashboard)/overview/charts/series";
import { StackedBars } from "@/app/(dashboard)/overview/charts/stacked-bars";
import { DURATION_STEPS } from "@/app/(dashboard)/overview/charts/ticks";
import { ChartsSkeleton } from "@/app/(dashboard)/overview/charts-skeleton";
import { formatCount } from "@/components/numbers";
import { formatDuration } from "@/components/time-words";
import { useTRPC } from "@/trpc/client";
import { usePolling } from "@/trpc/use-live";

/** Days move slowly: a minute is often enough when nothing tells of changes. */
const POLL_MS = 60_000;

/** How it has been going for thirty days, and for the last hour. The default export, for lazy loading. */
export default function Charts({ ingest }: { ingest: Overview["ingest"] }) {
  const trpc = useTRPC();
  const poll = usePolling();
  const query = useQuery(
    trpc.overview.charts.queryOptions(undefined, {
      refetchInterval: () => poll(POLL_MS),
      placeholderData: keepPreviousData,
      staleTime: 30_000,
    }),
  );
  if (query.isPending) return <ChartsSkeleton />;
  if (!query.data) {
    return (
      <CallError
        error={query.error}
        what="The charts could not be read"
        onRetry={() => void query.refetch()}
      />
    );
  }
  const { days } = query.data;
  return (
    <div className="grid gap-4 lg:grid-cols-2">
      <Changes days={days} />
      <Outcomes days={days} />
      <Durations days={days} />
      <Rate minutes={ingest.minutes} perMinute={ingest.documentsPerMinute} />
    </div>
  );
}

function Changes({ days }: { days: ChartDay[] }) {
  return (
    <DayBars
      title="Documents changed by day"
      rows={days.map(({ day, documents }) => ({ at: day, ...documents }))}
      series={[
        { key: "created", name: "New", colour: COLOURS.created },
        { key: "updated", name: "Updated", colour: COLOURS.updated },
        { key: "deleted", name: "Deleted", colour: COLOURS.deleted },
      ]}
    />
  );
}

function Outcomes({ days }: { days: ChartDay[] }) {
  return (
    <DayBars
      title="Runs by outcome"
      rows={days.map(({ day, runs }) => ({ at: day, ...runs }))}
      series={[
        { key: "succeeded", name: "Succeeded", colour: COLOURS.succeeded },
        { key: "partial", name: "Partial", colour: COLOURS.partial },
        { key: "failed", name: "Failed", colour: COLOURS.failed },
        { key: "cancelled", name: "Cancelled", colour: COLOURS.cancelled },
      ]}
    />
  );
}

/** Counts of each day, one kind upon the other. */
function DayBars<Key extends string>({
  title,
  ...drawn
}: {
  title: string;
  rows: readonly ChartRow<Key>[];
  series: readonly Series<Key>[];
}) {
  const words = { format: formatCount, nameOf: dayInWords };
  return (
    <ChartFrame title={title} firstColumn={DAY} {...drawn} {...words}>
      <StackedBars {...drawn} {...words} />
    </ChartFrame>
  );
}

function Durations({ days }: { days: ChartDay[] }) {
  const drawn = {
    rows: days.map(({ day, durations }) => ({
      at: day,
      p50: durations?.p50Ms ?? null,
      p95: durations?.p95Ms ?? null,
    })),
    series: [
      { key: "p95", name: "19 of 20 took less", colour: COLOURS.slow },
      { key: "p50", name: "Half took less", colour: COLOURS.typical },
    ],
    format: formatDuration,
    nameOf: dayInWords,
  } as const;
  return (
    <ChartFrame title="How long runs took" firstColumn={DAY} isSum={false} {...drawn}>
      <Lines {...drawn} steps={DURATION_STEPS} />
    </ChartFrame>
  );
}

function Rate({ minutes, perMinute }: { minutes: Overview["ingest"]["minutes"]; perMinute: number }) {
  const drawn = {
    rows: minutes.map(({ at, created, updated, deleted }) => ({
      at,
      documents: Math.round((created + updated + deleted) * 10) / 10,
    })),
    series: [{ key: "documents", name: "Documents", colour: COLOURS.created }],
    // Of a long run each minute has its share, which need not be whole.
    format: (documents: number) => formatCount(Math.round(documents)),
    nameOf: minuteInWords,
  } as const;
  return (
    <ChartFrame
      title={`Ingest rate, last hour: ${perMinute.toLocaleString("en")} documents a minute`}
      firstColumn="Minute"
      {...drawn}
    >
      <StackedBars {...drawn} />
    </ChartFrame>
  );
}

const DAY = "Day (UTC)";
const dayFormat = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", timeZone: "UTC" });
const minuteFormat = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit" });

function dayInWords(day: string): string {
  return dayFormat.format(new Date(`${day}T00:00:00Z`));
}

/** In the viewer's zone: charts are drawn in the browser alone. */
function minuteInWords(at: string): string {
  return minuteFormat.format(new Date(at));
}
