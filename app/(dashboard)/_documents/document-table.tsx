"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { parseAsIsoDateTime, parseAsString, parseAsStringLiteral } from "nuqs";
import type { ReactNode } from "react";
import { ListTable } from "@/app/(dashboard)/_components/list-table";
import { MomentFilter } from "@/app/(dashboard)/_components/moment-filter";
import { SearchInput } from "@/app/(dashboard)/_components/search-input";
import { documentColumns } from "@/app/(dashboard)/_documents/document-columns";
import { exportHref } from "@/app/(dashboard)/_lib/export-href";
import { CALM_MS, LIVE_MS } from "@/app/(dashboard)/_lib/polling";
import { useTableState } from "@/app/(dashboard)/_lib/use-table-state";
import { Button } from "@/components/button";
import { FilterSelect } from "@/components/field";
import { DOCUMENT_STATES } from "@/server/documents/choices";
import { useTRPC } from "@/trpc/client";
import { usePolling } from "@/trpc/use-live";

const STATE_WORDS: Record<(typeof DOCUMENT_STATES)[number], string> = {
  live: "Present",
  deleted: "Deleted upstream",
  any: "Present and deleted",
};

const parsers = {
  state: parseAsStringLiteral(DOCUMENT_STATES),
  q: parseAsString,
  since: parseAsIsoDateTime,
  until: parseAsIsoDateTime,
};

/** Documents of one feed or of the whole workspace, the latest change first. */
export function DocumentTable({
  feedId,
  isSyncing,
  empty,
}: {
  feedId?: string;
  isSyncing?: boolean;
  empty: ReactNode;
}) {
  const trpc = useTRPC();
  const table = useTableState(parsers, ["changed"]);
  const poll = usePolling();
  const { state, q, since, until } = table.filters;
  const scope = {
    ...(feedId && { feedId }),
    ...(state && { state }),
    ...(q && { q }),
    ...(since && { since: since.toISOString() }),
    ...(until && { until: until.toISOString() }),
  };
  // There is one order, by latest change; only its direction can be chosen.
  const { sort: _, ...place } = table.input as typeof table.input & { sort?: string };
  const list = useQuery(
    trpc.documents.list.queryOptions(
      { limit: 50, ...scope, ...place },
      {
        refetchInterval: () => poll(isSyncing ? LIVE_MS : CALM_MS),
        placeholderData: keepPreviousData,
      },
    ),
  );
  return (
    <ListTable
      name={feedId ? "feed-documents" : "documents"}
      caption="Documents"
      what="The documents"
      query={list}
      state={table}
      columns={documentColumns(feedId === undefined, state === "deleted" || state === "any")}
      rowKey={(row) => row.id}
      rowLabel={(row) => row.title || row.externalId}
      rowHref={(row) => `/documents/${row.id}`}
      csv={exportHref("documents", { ...scope, ...place })}
      filters={
        <search className="flex flex-1 flex-wrap items-center gap-2">
          <SearchInput label="Filter by title" value={q} onChange={(next) => table.set({ q: next })} />
          <FilterSelect
            label="Which documents"
            value={state ?? ""}
            onChange={(event) => {
              const next = DOCUMENT_STATES.find((known) => known === event.target.value);
              table.set({ state: next === "live" ? null : (next ?? null) });
            }}
          >
            {DOCUMENT_STATES.map((known) => (
              <option key={known} value={known === "live" ? "" : known}>
                {STATE_WORDS[known]}
              </option>
            ))}
          </FilterSelect>
          <MomentFilter
            label="Published since"
            value={since}
            onChange={(next) => table.set({ since: next })}
          />
          {table.isFiltered && (
            <Button variant="ghost" onClick={table.clear}>
              Clear filters
            </Button>
          )}
        </search>
      }
      empty={empty}
      noMatch={
        list.data?.nextAfter
          ? "None on this page, but the search goes on: see the next page."
          : "No document is in this state and has such a title and date."
      }
    />
  );
}
