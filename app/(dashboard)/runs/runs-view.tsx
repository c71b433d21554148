"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { CallError } from "@/app/_shared/call-error";
import { Explain } from "@/app/(dashboard)/_components/explain";
import { RunTable } from "@/app/(dashboard)/_components/run-table";
import { StaleMark } from "@/app/(dashboard)/_components/stale-mark";
import { CALM_MS, LIVE_MS } from "@/app/(dashboard)/_lib/polling";
import { isActiveRun } from "@/app/(dashboard)/_lib/run-words";
import { RunFilters } from "@/app/(dashboard)/runs/run-filters";
import { useRunFilters } from "@/app/(dashboard)/runs/use-run-filters";
import { Button, ButtonLink } from "@/components/button";
import { EmptyState } from "@/components/empty-state";
import { PageHeader } from "@/components/page-header";
import { Pager } from "@/components/pager";
import { TableSkeleton } from "@/components/skeleton";
import { useTRPC } from "@/trpc/client";

/** The audit trail: every sync run of the workspace, newest first. */
export function RunsView() {
  const trpc = useTRPC();
  const filters = useRunFilters();
  const list = useQuery(
    trpc.runs.list.queryOptions(
      { limit: 50, ...filters.input },
      {
        refetchInterval: ({ state }) => (state.data?.items.some(isActiveRun) ? LIVE_MS : CALM_MS),
        placeholderData: keepPreviousData,
      },
    ),
  );
  const runs = list.data?.items;
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
      <StaleMark query={list} />
      <RunFilters filters={filters} />
      {list.isPending && <TableSkeleton rows={10} columns={6} />}
      {list.isError && (
        <CallError error={list.error} what="The runs could not be read" onRetry={() => void list.refetch()} />
      )}
      {runs?.length === 0 &&
        !list.isError &&
        (filters.isFiltered ? (
          <EmptyState title="No run matches" action={<Button onClick={filters.clear}>Clear filters</Button>}>
            Nothing ran that fits these filters.
          </EmptyState>
        ) : (
          <EmptyState title="Nothing ran yet" action={<ButtonLink href="/sources">Go to Sources</ButtonLink>}>
            Each sync and each push leaves a record here: what it read, what it changed and what went wrong.
          </EmptyState>
        ))}
      {runs && runs.length > 0 && !list.isError && <RunTable runs={runs} withFeed />}
      <Pager after={filters.after} nextAfter={list.data?.nextAfter ?? null} onChange={filters.setAfter} />
    </>
  );
}
