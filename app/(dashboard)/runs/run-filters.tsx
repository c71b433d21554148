"use client";

import { useQuery } from "@tanstack/react-query";
import { EXECUTOR_WORDS, STATUS_WORDS, TRIGGER_WORDS } from "@/app/(dashboard)/_lib/run-words";
import type { RunFilterState } from "@/app/(dashboard)/runs/use-run-filters";
import { Button } from "@/components/button";
import { useIsBrowser } from "@/components/clock";
import { FilterInput, FilterSelect } from "@/components/field";
import { EXECUTORS, RUN_STATUSES, RUN_TRIGGERS } from "@/server/runs/schema";
import { useTRPC } from "@/trpc/client";

export function RunFilters({ filters }: { filters: RunFilterState }) {
  return (
    <search className="mb-3 flex flex-wrap items-center gap-2">
      <SourceChoice filters={filters} />
      <FeedChoice filters={filters} />
      <Choice
        label="Status"
        any="Any status"
        value={filters.status}
        values={RUN_STATUSES}
        words={STATUS_WORDS}
        onChange={(status) => filters.set({ status })}
      />
      <Choice
        label="Trigger"
        any="Any trigger"
        value={filters.trigger}
        values={RUN_TRIGGERS}
        words={TRIGGER_WORDS}
        onChange={(trigger) => filters.set({ trigger })}
      />
      <Choice
        label="Executor"
        any="Any executor"
        value={filters.executor}
        values={EXECUTORS}
        words={EXECUTOR_WORDS}
        onChange={(executor) => filters.set({ executor })}
      />
      <Moment label="Since" value={filters.since} onChange={(since) => filters.set({ since })} />
      <Moment label="Until" value={filters.until} onChange={(until) => filters.set({ until })} />
      {filters.isFiltered && (
        <Button variant="ghost" onClick={filters.clear}>
          Clear filters
        </Button>
      )}
    </search>
  );
}

function Choice<Value extends string>({
  label,
  any,
  value,
  values,
  words,
  onChange,
}: {
  label: string;
  any: string;
  value: Value | null;
  values: readonly Value[];
  words: Record<Value, string>;
  onChange(value: Value | null): void;
}) {
  return (
    <FilterSelect
      label={label}
      value={value ?? ""}
      onChange={(event) => onChange(values.find((known) => known === event.target.value) ?? null)}
    >
      <option value="">{any}</option>
      {values.map((known) => (
        <option key={known} value={known}>
          {words[known]}
        </option>
      ))}
    </FilterSelect>
  );
}

function SourceChoice({ filters }: { filters: RunFilterState }) {
  const trpc = useTRPC();
  const list = useQuery(trpc.sources.list.queryOptions({ limit: 200 }));
  const sources = list.data?.items ?? [];
  const isListed = !filters.source || sources.some((source) => source.id === filters.source);
  return (
    <FilterSelect
      label="Source"
      value={filters.source ?? ""}
      onChange={(event) => filters.set({ source: event.target.value || null, feed: null })}
    >
      <option value="">Any source</option>
      {!isListed && filters.source && <option value={filters.source}>{filters.source}</option>}
      {sources.map((source) => (
        <option key={source.id} value={source.id}>
          {source.name}
        </option>
      ))}
    </FilterSelect>
  );
}

function FeedChoice({ filters }: { filters: RunFilterState }) {
  const trpc = useTRPC();
  const list = useQuery(
    trpc.feeds.list.queryOptions({ limit: 200, ...(filters.source && { sourceId: filters.source }) }),
  );
  const feeds = list.data?.items ?? [];
  const isListed = !filters.feed || feeds.some((feed) => feed.id === filters.feed);
  return (
    <FilterSelect
      label="Feed"
      value={filters.feed ?? ""}
      onChange={(event) => filters.set({ feed: event.target.value || null })}
    >
      <option value="">Any feed</option>
      {!isListed && filters.feed && <option value={filters.feed}>{filters.feed}</option>}
      {feeds.map((feed) => (
        <option key={feed.id} value={feed.id}>
          {feed.displayName}
        </option>
      ))}
    </FilterSelect>
  );
}

/** A moment in the viewer's zone; the URL keeps it in UTC. */
function Moment({
  label,
  value,
  onChange,
}: {
  label: string;
  value: Date | null;
  onChange(value: Date | null): void;
}) {
  const isBrowser = useIsBrowser();
  return (
    <span className="flex items-center gap-1.5 text-sm text-ink-muted">
      <span aria-hidden>{label}</span>
      <FilterInput
        type="datetime-local"
        label={label}
        // The zone is the browser's, so the server leaves it empty.
        value={value && isBrowser ? toLocalInput(value) : ""}
        onChange={(event) => {
          const next = new Date(event.target.value);
          onChange(Number.isNaN(next.getTime()) ? null : next);
        }}
      />
    </span>
  );
}

function toLocalInput(date: Date): string {
  const local = new Date(date.getTime() - date.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 16);
}
