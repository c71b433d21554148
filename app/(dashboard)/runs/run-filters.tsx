"use client";

import { useQuery } from "@tanstack/react-query";
import { MomentFilter } from "@/app/(dashboard)/_components/moment-filter";
import { EXECUTOR_WORDS, STATUS_WORDS, TRIGGER_WORDS } from "@/app/(dashboard)/_lib/run-words";
import type { RunTableState } from "@/app/(dashboard)/runs/use-run-filters";
import { Button } from "@/components/button";
import { FilterSelect } from "@/components/field";
import { EXECUTORS, RUN_STATUSES, RUN_TRIGGERS } from "@/server/runs/choices";
import { useTRPC } from "@/trpc/client";

export function RunFilters({ table }: { table: RunTableState }) {
  return (
    <search className="flex flex-1 flex-wrap items-center gap-2">
      <SourceChoice table={table} />
      <FeedChoice table={table} />
      <Choice
        label="Status"
        any="Any status"
        value={table.filters.status}
        values={RUN_STATUSES}
        words={STATUS_WORDS}
        onChange={(status) => table.set({ status })}
      />
      <Choice
        label="Trigger"
        any="Any trigger"
        value={table.filters.trigger}
        values={RUN_TRIGGERS}
        words={TRIGGER_WORDS}
        onChange={(trigger) => table.set({ trigger })}
      />
      <Choice
        label="Executor"
        any="Any executor"
        value={table.filters.executor}
        values={EXECUTORS}
        words={EXECUTOR_WORDS}
        onChange={(executor) => table.set({ executor })}
      />
      <MomentFilter label="Since" value={table.filters.since} onChange={(since) => table.set({ since })} />
      <MomentFilter label="Until" value={table.filters.until} onChange={(until) => table.set({ until })} />
      {table.isFiltered && (
        <Button variant="ghost" onClick={table.clear}>
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

function SourceChoice({ table }: { table: RunTableState }) {
  const trpc = useTRPC();
  const list = useQuery(trpc.sources.list.queryOptions({ limit: 200 }));
  const sources = list.data?.items ?? [];
  const isListed = !table.filters.source || sources.some((source) => source.id === table.filters.source);
  return (
    <FilterSelect
      label="Source"
      value={table.filters.source ?? ""}
      onChange={(event) => table.set({ source: event.target.value || null, feed: null })}
    >
      <option value="">Any source</option>
      {!isListed && table.filters.source && (
        <option value={table.filters.source}>{table.filters.source}</option>
      )}
      {sources.map((source) => (
        <option key={source.id} value={source.id}>
          {source.name}
        </option>
      ))}
    </FilterSelect>
  );
}

function FeedChoice({ table }: { table: RunTableState }) {
  const trpc = useTRPC();
  const list = useQuery(
    trpc.feeds.list.queryOptions({
      limit: 200,
      ...(table.filters.source && { sourceId: table.filters.source }),
    }),
  );
  const feeds = list.data?.items ?? [];
  const isListed = !table.filters.feed || feeds.some((feed) => feed.id === table.filters.feed);
  return (
    <FilterSelect
      label="Feed"
      value={table.filters.feed ?? ""}
      onChange={(event) => table.set({ feed: event.target.value || null })}
    >
      <option value="">Any feed</option>
      {!isListed && table.filters.feed && <option value={table.filters.feed}>{table.filters.feed}</option>}
      {feeds.map((feed) => (
        <option key={feed.id} value={feed.id}>
          {feed.displayName}
        </option>
      ))}
    </FilterSelect>
  );
}
