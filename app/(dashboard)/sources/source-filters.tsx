"use client";

import { parseAsString, parseAsStringLiteral } from "nuqs";
import { SearchInput } from "@/app/(dashboard)/_components/search-input";
import { TypeChoice } from "@/app/(dashboard)/_feeds/feed-filters";
import { useTableState } from "@/app/(dashboard)/_lib/use-table-state";
import { FilterSelect } from "@/components/field";
import { SOURCE_SORTS, SOURCE_STATUSES } from "@/server/sources/choices";

const STATUS_WORDS: Record<(typeof SOURCE_STATUSES)[number], string> = {
  active: "Active",
  paused: "Paused",
  failing: "Failing",
  needs_reconnect: "Needs reconnect",
  deleting: "Deleting",
};

const parsers = {
  status: parseAsStringLiteral(SOURCE_STATUSES),
  type: parseAsString,
  q: parseAsString,
};

export function useSourceTable() {
  const table = useTableState(parsers, SOURCE_SORTS);
  const { status, type, q } = table.filters;
  return { ...table, filterInput: { ...(status && { status }), ...(type && { type }), ...(q && { q }) } };
}

export function SourceFilters({ table }: { table: ReturnType<typeof useSourceTable> }) {
  const { status, type, q } = table.filters;
  return (
    <search className="flex flex-1 flex-wrap gap-2">
      <SearchInput label="Filter by name" value={q} onChange={(next) => table.set({ q: next })} />
      <FilterSelect
        label="Status"
        value={status ?? ""}
        onChange={(event) =>
          table.set({ status: SOURCE_STATUSES.find((known) => known === event.target.value) ?? null })
        }
      >
        <option value="">Any status</option>
        {SOURCE_STATUSES.map((known) => (
          <option key={known} value={known}>
            {STATUS_WORDS[known]}
          </option>
        ))}
      </FilterSelect>
      <TypeChoice value={type} onChange={(next) => table.set({ type: next })} />
    </search>
  );
}
