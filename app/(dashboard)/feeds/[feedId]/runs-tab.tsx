"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { parseAsStringLiteral } from "nuqs";
import { ListTable } from "@/app/(dashboard)/_components/list-table";
import { runColumns } from "@/app/(dashboard)/_components/run-columns";
import { exportHref } from "@/app/(dashboard)/_lib/export-href";
import { CALM_MS, LIVE_MS } from "@/app/(dashboard)/_lib/polling";
import { STATUS_WORDS } from "@/app/(dashboard)/_lib/run-words";
import { useTableState } from "@/app/(dashboard)/_lib/use-table-state";
import { EmptyState } from "@/components/empty-state";
import { FilterSelect } from "@/components/field";
import { RUN_SORTS, RUN_STATUSES } from "@/server/runs/choices";
import { useTRPC } from "@/trpc/client";
import { usePolling } from "@/trpc/use-live";

const parsers = { status: parseAsStringLiteral(RUN_STATUSES) };

export function RunsTab({ feedId, isSyncing }: { feedId: string; isSyncing: boolean }) {
  const trpc = useTRPC();
  const table = useTableState(parsers, RUN_SORTS);
  const poll = usePolling();
  const { status } = table.filters;
  const scope = { feedId, ...(status && { status }) };
  const list = useQuery(
    trpc.runs.list.queryOptions(
      { limit: 25, ...scope, ...table.input },
      {
        refetchInterval: () => poll(isSyncing ? LIVE_MS : CALM_MS),
        placeholderData: keepPreviousData,
      },
    ),
  );
  return (
    <ListTable
      name="feed-runs"
      caption="Sync runs"
      what="The runs"
      query={list}
      state={table}
      columns={runColumns(false)}
      rowKey={(run) => run.id}
      rowLabel={(run) => `run ${run.id}`}
      rowHref={(run) => `/runs/${run.id}`}
      csv={exportHref("runs", { ...scope, ...table.input })}
      filters={
        <search>
          <FilterSelect
            label="Status"
            value={status ?? ""}
            onChange={(event) =>
              table.set({ status: RUN_STATUSES.find((known) => known === event.target.value) ?? null })
            }
          >
            <option value="">Any status</option>
            {RUN_STATUSES.map((known) => (
              <option key={known} value={known}>
                {STATUS_WORDS[known]}
              </option>
            ))}
          </FilterSelect>
        </search>
      }
      empty={
        <EmptyState title="Nothing ran yet">
          Each attempt to bring this feed up to date is kept here.
        </EmptyState>
      }
      noMatch="No run of this feed ended like that."
    />
  );
}
