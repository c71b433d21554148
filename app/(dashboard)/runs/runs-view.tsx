"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Explain } from "@/app/(dashboard)/_components/explain";
import { ListTable } from "@/app/(dashboard)/_components/list-table";
import { runColumns } from "@/app/(dashboard)/_components/run-columns";
import { exportHref } from "@/app/(dashboard)/_lib/export-href";
import { CALM_MS, LIVE_MS } from "@/app/(dashboard)/_lib/polling";
import { isActiveRun } from "@/app/(dashboard)/_lib/run-words";
import { RunFilters } from "@/app/(dashboard)/runs/run-filters";
import { useRunTable } from "@/app/(dashboard)/runs/use-run-filters";
import { ButtonLink } from "@/components/button";
import { EmptyState } from "@/components/empty-state";
import { PageHeader } from "@/components/page-header";
import { useTRPC } from "@/trpc/client";
import { usePolling } from "@/trpc/use-live";

/** The audit trail: every sync run of the workspace, newest first. */
export function RunsView() {
  const trpc = useTRPC();
  const table = useRunTable();
  const poll = usePolling();
  const list = useQuery(
    trpc.runs.list.queryOptions(
      { limit: 50, ...table.filterInput, ...table.input },
      {
        refetchInterval: ({ state }) => poll(state.data?.items.some(isActiveRun) ? LIVE_MS : CALM_MS),
        placeholderData: keepPreviousData,
      },
    ),
  );
  return (
    <>
      <PageHeader
        title="Runs"
        meta={
          <span>
            Every <Explain term="run">sync run</Explain> of this workspace, newest first.
          </span>
        }
      />
      <ListTable
        name="runs"
        caption="Sync runs"
        what="The runs"
        query={list}
        state={table}
        columns={runColumns(true)}
        rowKey={(run) => run.id}
        rowLabel={(run) => `run ${run.id}`}
        rowHref={(run) => `/runs/${run.id}`}
        csv={exportHref("runs", { ...table.filterInput, ...table.input })}
        filters={<RunFilters table={table} />}
        empty={
          <EmptyState title="Nothing ran yet" action={<ButtonLink href="/sources">Go to Sources</ButtonLink>}>
            Each sync and each push leaves a record here: what it read, what it changed and what went wrong.
          </EmptyState>
        }
        noMatch="Nothing ran that fits these filters."
      />
    </>
  );
}
