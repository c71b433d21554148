"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Plus, Rss } from "lucide-react";
import { useState } from "react";
import { CallError } from "@/app/_shared/call-error";
import { DeleteSourceDialog } from "@/app/(dashboard)/_components/delete-source-dialog";
import { StaleMark } from "@/app/(dashboard)/_components/stale-mark";
import { CALM_MS } from "@/app/(dashboard)/_lib/polling";
import type { Source } from "@/app/(dashboard)/_lib/types";
import { useSort } from "@/app/(dashboard)/_lib/use-sort";
import { useSourceActions } from "@/app/(dashboard)/_lib/use-source-actions";
import { useViewer } from "@/app/(dashboard)/_lib/viewer";
import { BulkBar } from "@/app/(dashboard)/sources/bulk-bar";
import { Health } from "@/app/(dashboard)/sources/health";
import { sourceColumns } from "@/app/(dashboard)/sources/source-columns";
import { SourceFilters, useSourceFilters } from "@/app/(dashboard)/sources/source-filters";
import { Button, ButtonLink } from "@/components/button";
import { DataTable } from "@/components/data-table";
import { EmptyState } from "@/components/empty-state";
import { PageHeader } from "@/components/page-header";
import { Pager } from "@/components/pager";
import { TableSkeleton } from "@/components/skeleton";
import { useTRPC } from "@/trpc/client";

/** In two seconds: is everything well, and if not, which and why. */
export function SourcesView() {
  const trpc = useTRPC();
  const viewer = useViewer();
  const filters = useSourceFilters();
  const actions = useSourceActions();
  const sort = useSort();
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [deleting, setDeleting] = useState<Source | null>(null);

  const list = useQuery(
    trpc.sources.list.queryOptions(
      { limit: 200, ...filters.input },
      { refetchInterval: CALM_MS, placeholderData: keepPreviousData },
    ),
  );
  const sources = list.data?.items ?? [];
  const addButton = viewer.canWrite && (
    <ButtonLink href="/sources/new" variant="primary" icon={<Plus aria-hidden size={15} />}>
      Add source
    </ButtonLink>
  );
  const isFirstVisit = list.isSuccess && sources.length === 0 && !filters.isFiltered;

  return (
    <>
      <PageHeader title="Sources" actions={!isFirstVisit && addButton} />
      <StaleMark query={list} />
      {isFirstVisit ? (
        <EmptyState icon={<Rss aria-hidden size={28} />} title="Nothing is connected yet" action={addButton}>
          A source is a site, an account or a program of yours. Type the address of any site with a feed and
          Tidemark finds the rest.
        </EmptyState>
      ) : (
        <>
          <Health />
          <SourceFilters {...filters} />
          {list.isPending && <TableSkeleton rows={8} columns={5} />}
          {list.isError && !list.data && (
            <CallError
              error={list.error}
              what="The sources could not be read"
              onRetry={() => void list.refetch()}
            />
          )}
          {list.isSuccess && sources.length === 0 && (
            <EmptyState
              title="No source matches"
              action={<Button onClick={filters.clear}>Clear filters</Button>}
            >
              None of your sources has this status, type and name.
            </EmptyState>
          )}
          {sources.length > 0 && (
            <DataTable
              caption="Sources"
              rows={sources}
              columns={sourceColumns({
                canWrite: viewer.canWrite,
                onAct: actions.run,
                onDelete: setDeleting,
              })}
              sort={list.data?.nextAfter || filters.after ? undefined : sort}
              rowKey={(source) => source.id}
              rowLabel={(source) => source.name}
              rowHref={(source) => `/sources/${source.id}`}
              selection={viewer.canWrite ? { selected, onChange: setSelected } : undefined}
            />
          )}
          <Pager
            after={filters.after}
            nextAfter={list.data?.nextAfter ?? null}
            onChange={filters.setAfter}
            older="More sources"
            newest="From the first"
          />
        </>
      )}
      <BulkBar
        chosen={sources.filter((source) => selected.has(source.id))}
        isPending={actions.isPending}
        onAct={async (act, chosen) => {
          await actions.run(act, chosen);
          setSelected(new Set());
        }}
        onClear={() => setSelected(new Set())}
      />
      <DeleteSourceDialog source={deleting} onClose={() => setDeleting(null)} />
    </>
  );
}
