"use client";

import { OriginChoice } from "@/app/(dashboard)/_components/origin-choice";
import { EXECUTOR_WORDS, STATUS_WORDS, TRIGGER_WORDS } from "@/app/(dashboard)/_lib/run-words";
import { PeriodFilter } from "@/app/(dashboard)/runs/period-filter";
import type { RunTableState } from "@/app/(dashboard)/runs/use-run-filters";
import { Button } from "@/components/button";
import { FilterSelect } from "@/components/field";
import { EXECUTORS, RUN_STATUSES, RUN_TRIGGERS } from "@/server/runs/choices";

export function RunFilters({ table }: { table: RunTableState }) {
  return (
    <search className="flex flex-1 flex-wrap items-center gap-2">
      <OriginChoice
        source={table.filters.source}
        feed={table.filters.feed}
        onChange={(origin) => table.set(origin)}
      />
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
      <PeriodFilter
        since={table.filters.since}
        until={table.filters.until}
        onChange={(period) => table.set(period)}
      />
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
