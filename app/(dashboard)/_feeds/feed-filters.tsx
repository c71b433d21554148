"use client";

import { useQuery } from "@tanstack/react-query";
import { parseAsString, parseAsStringLiteral } from "nuqs";
import { SearchInput } from "@/app/(dashboard)/_components/search-input";
import { CAUSES, causeInWords } from "@/app/(dashboard)/_feeds/cause-words";
import { useTableState } from "@/app/(dashboard)/_lib/use-table-state";
import { Button } from "@/components/button";
import { FilterSelect } from "@/components/field";
import { FEED_SORTS, FEED_STATUSES } from "@/server/feeds/choices";
import { useTRPC } from "@/trpc/client";

const STATUS_WORDS: Record<(typeof FEED_STATUSES)[number], string> = {
  active: "Active",
  paused: "Paused",
  failing: "Failing",
  rate_limited: "Rate limited",
  needs_reconnect: "Needs reconnect",
  disabled: "Disabled",
  deleting: "Deleting",
};

const parsers = {
  status: parseAsStringLiteral(FEED_STATUSES),
  cause: parseAsString,
  type: parseAsString,
  q: parseAsString,
  group: parseAsString,
};

export function useFeedTable() {
  const table = useTableState(parsers, FEED_SORTS);
  const { status, cause, type, q, group } = table.filters;
  const filterInput = {
    ...(status && { status }),
    ...(cause && { cause }),
    ...(type && { type }),
    ...(q && { q }),
    ...(group && { group }),
  };
  return { ...table, filterInput };
}

type FeedTable = ReturnType<typeof useFeedTable>;

export function FeedFilters({ table, withType }: { table: FeedTable; withType: boolean }) {
  const { status, cause, type, q, group } = table.filters;
  const isKnown = cause === null || CAUSES.some((known) => known === cause);
  return (
    <search className="flex flex-1 flex-wrap gap-2">
      <SearchInput label="Filter by name or address" value={q} onChange={(next) => table.set({ q: next })} />
      <FilterSelect
        label="Status"
        value={status ?? ""}
        onChange={(event) =>
          table.set({ status: FEED_STATUSES.find((known) => known === event.target.value) ?? null })
        }
      >
        <option value="">Any status</option>
        {FEED_STATUSES.map((known) => (
          <option key={known} value={known}>
            {STATUS_WORDS[known]}
          </option>
        ))}
      </FilterSelect>
      <FilterSelect
        label="Cause"
        value={cause ?? ""}
        onChange={(event) => table.set({ cause: event.target.value || null })}
      >
        <option value="">Any cause</option>
        {!isKnown && cause && <option value={cause}>{causeInWords(cause)}</option>}
        {CAUSES.map((known) => (
          <option key={known} value={known}>
            {causeInWords(known)}
          </option>
        ))}
      </FilterSelect>
      {withType && <TypeChoice value={type} onChange={(next) => table.set({ type: next })} />}
      {group && (
        <Button onClick={() => table.set({ group: null })} aria-label={`Stop filtering by group ${group}`}>
          Group: {group} ×
        </Button>
      )}
      {table.isFiltered && (
        <Button variant="ghost" onClick={table.clear}>
          Clear filters
        </Button>
      )}
    </search>
  );
}

/** Types of sources, as the server's adapters name them. */
export function TypeChoice({
  value,
  onChange,
}: {
  value: string | null;
  onChange(value: string | null): void;
}) {
  const trpc = useTRPC();
  const adapters = useQuery(
    trpc.adapters.list.queryOptions(undefined, { staleTime: Number.POSITIVE_INFINITY }),
  );
  return (
    <FilterSelect label="Type" value={value ?? ""} onChange={(event) => onChange(event.target.value || null)}>
      <option value="">Any type</option>
      {(adapters.data ?? []).map((adapter) => (
        <option key={adapter.type} value={adapter.type}>
          {adapter.name}
        </option>
      ))}
      <option value="api">API</option>
    </FilterSelect>
  );
}
