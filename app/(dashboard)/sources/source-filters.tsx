"use client";

import { useQuery } from "@tanstack/react-query";
import { Search } from "lucide-react";
import { parseAsString, parseAsStringLiteral, useQueryStates } from "nuqs";
import { FilterInput, FilterSelect } from "@/components/field";
import { useTRPC } from "@/trpc/client";

const STATUSES = ["active", "paused", "failing", "needs_reconnect", "deleting"] as const;
const STATUS_WORDS: Record<(typeof STATUSES)[number], string> = {
  active: "Active",
  paused: "Paused",
  failing: "Failing",
  needs_reconnect: "Needs reconnect",
  deleting: "Deleting",
};

const parsers = {
  status: parseAsStringLiteral(STATUSES),
  type: parseAsString,
  q: parseAsString,
  after: parseAsString,
};

/** The list's filters, kept in the URL. A new filter starts at the first page. */
export function useSourceFilters() {
  const [state, setState] = useQueryStates(parsers, { history: "replace" });
  const { status, type, q, after } = state;
  return {
    status,
    type,
    q,
    after,
    input: {
      ...(status && { status }),
      ...(type && { type }),
      ...(q && { q }),
      ...(after && { after }),
    },
    isFiltered: Boolean(status || type || q || after),
    set: (next: { status?: (typeof STATUSES)[number] | null; type?: string | null; q?: string | null }) =>
      void setState({ ...next, after: null }),
    setAfter: (next: string | null) => void setState({ after: next }, { history: "push" }),
    clear: () => void setState(null),
  };
}

type Filters = ReturnType<typeof useSourceFilters>;

export function SourceFilters({ status, type, q, set }: Filters) {
  const trpc = useTRPC();
  const adapters = useQuery(
    trpc.adapters.list.queryOptions(undefined, { staleTime: Number.POSITIVE_INFINITY }),
  );
  return (
    <search className="mb-3 flex flex-wrap gap-2">
      <span className="relative min-w-48 flex-1 xs:max-w-64">
        <Search
          aria-hidden
          size={14}
          className="pointer-events-none absolute top-2.25 left-2.5 text-ink-faint"
        />
        <FilterInput
          type="search"
          label="Filter by name"
          placeholder="Filter by name"
          className="w-full pl-8"
          value={q ?? ""}
          onChange={(event) => set({ q: event.target.value || null })}
        />
      </span>
      <FilterSelect
        label="Status"
        value={status ?? ""}
        onChange={(event) => set({ status: STATUSES.find((known) => known === event.target.value) ?? null })}
      >
        <option value="">Any status</option>
        {STATUSES.map((known) => (
          <option key={known} value={known}>
            {STATUS_WORDS[known]}
          </option>
        ))}
      </FilterSelect>
      <FilterSelect
        label="Type"
        value={type ?? ""}
        onChange={(event) => set({ type: event.target.value || null })}
      >
        <option value="">Any type</option>
        {(adapters.data ?? []).map((adapter) => (
          <option key={adapter.type} value={adapter.type}>
            {adapter.name}
          </option>
        ))}
        <option value="api">API</option>
      </FilterSelect>
    </search>
  );
}
