"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { CallError } from "@/app/_shared/call-error";
import type { ChartDay, Overview } from "@/app/(dashboard)/_lib/types";
import { ChartFrame } from "@/app/(dashboard)/overview/charts/chart-frame";
import { COLOURS } from "@/app/(dashboard)/overview/charts/colours";
import { Lines } from "@/app/(dashboard)/overview/charts/lines";
import { StackedBars } from "@/app/(dashboard)/overview/charts/stacked-bars";
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
  const rows = days.map(({ day, documents }) => ({ at: day, ...documents }));
  const series = [
    { key: "created", name: "New", colour: COLOURS.created },
    { key: "updated", name: "Updated", colour: COLOURS.updated },
    { key: "deleted", name: "Deleted", colour: COLOURS.deleted },
  ] as const;
  return (
    <ChartFrame
      title="Documents changed by day"
      rows={rows}
      series={series}
      firstColumn="Day (UTC)"
      format={formatCount}
      nameOf={dayInWords}
    >
      <StackedBars rows={rows} series={series} format={formatCount} nameOf={dayInWords} />
    </ChartFrame>
  );
}

function Outcomes({ days }: { days: ChartDay[] }) {
  const rows = days.map(({ day, runs }) => ({ at: day, ...runs }));
  const series = [
    { key: "succeeded", name: "Succeeded", colour: COLOURS.succeeded },
    { key: "partial", name: "Partial", colour: COLOURS.partial },
    { key: "failed", name: "Failed", colour: COLOURS.failed },
    { key: "cancelled", name: "Cancelled", colour: COLOURS.cancelled },
  ] as const;
  return (
    <ChartFrame
      title="Runs by outcome"
      rows={rows}
      series={series}
      firstColumn="Day (UTC)"
      format={formatCount}
      nameOf={dayInWords}
    >
      <StackedBars rows={rows} series={series} format={formatCount} nameOf={dayInWords} />
    </ChartFrame>
  );
}

function Durations({ days }: { days: ChartDay[] }) {
  const rows = days.map(({ day, durations }) => ({
    at: day,
    p50: durations?.p50Ms ?? null,
    p95: durations?.p95Ms ?? null,
  }));
  const series = [
    { key: "p95", name: "19 of 20 took less", colour: COLOURS.slow },
    { key: "p50", name: "Half took less", colour: COLOURS.typical },
  ] as const;
  return (
    <ChartFrame
      title="How long runs took"
      rows={rows}
      series={series}
      firstColumn="Day (UTC)"
      format={formatDuration}
      nameOf={dayInWords}
      isSum={false}
    >
      <Lines rows={rows} series={series} format={formatDuration} nameOf={dayInWords} />
    </ChartFrame>
  );
}

function Rate({ minutes, perMinute }: { minutes: Overview["ingest"]["minutes"]; perMinute: number }) {
  const rows = minutes.map(({ at, created, updated, deleted }) => ({
    at,
    documents: Math.round((created + updated + deleted) * 10) / 10,
  }));
  const series = [{ key: "documents", name: "Documents", colour: COLOURS.created }] as const;
  return (
    <ChartFrame
      title={`Ingest rate, last hour: ${perMinute.toLocaleString("en")} documents a minute`}
      rows={rows}
      series={series}
      firstColumn="Minute"
      format={formatCount}
      nameOf={minuteInWords}
    >
      <StackedBars rows={rows} series={series} format={formatCount} nameOf={minuteInWords} />
    </ChartFrame>
  );
}

const dayFormat = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", timeZone: "UTC" });
const minuteFormat = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit" });

function dayInWords(day: string): string {
  return dayFormat.format(new Date(`${day}T00:00:00Z`));
}

/** In the viewer's zone: charts are drawn in the browser alone. */
function minuteInWords(at: string): string {
  return minuteFormat.format(new Date(at));
}
