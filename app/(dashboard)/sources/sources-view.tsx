"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { ArrowRight, Import, Plus, Rss } from "lucide-react";
import { useState } from "react";
import { useSelection } from "@/app/(dashboard)/_bulk/use-selection";
import { DeleteSourceDialog } from "@/app/(dashboard)/_components/delete-source-dialog";
import { ListTable } from "@/app/(dashboard)/_components/list-table";
import { exportHref } from "@/app/(dashboard)/_lib/export-href";
import { CALM_MS } from "@/app/(dashboard)/_lib/polling";
import type { Source } from "@/app/(dashboard)/_lib/types";
import { useSourceActions } from "@/app/(dashboard)/_lib/use-source-actions";
import { useTypeWords } from "@/app/(dashboard)/_lib/use-type-words";
import { useViewer } from "@/app/(dashboard)/_lib/viewer";
import { Health } from "@/app/(dashboard)/sources/health";
import { SourceBulkBar } from "@/app/(dashboard)/sources/source-bulk-bar";
import { sourceColumns } from "@/app/(dashboard)/sources/source-columns";
import { SourceFilters, useSourceTable } from "@/app/(dashboard)/sources/source-filters";
import { TransferMenu } from "@/app/(dashboard)/sources/transfer-menu";
import { ButtonLink } from "@/components/button";
import { EmptyState } from "@/components/empty-state";
import { Link } from "@/components/link";
import { PageHeader } from "@/components/page-header";
import { useTRPC } from "@/trpc/client";
import { usePolling } from "@/trpc/use-live";

/** In two seconds: is everything well, and if not, which and why. */
export function SourcesView() {
  const trpc = useTRPC();
  const viewer = useViewer();
  const table = useSourceTable();
  const actions = useSourceActions();
  const typeWords = useTypeWords();
  const poll = usePolling();
  const [deleting, setDeleting] = useState<Source | null>(null);

  const list = useQuery(
    trpc.sources.list.queryOptions(
      { limit: 50, ...table.filterInput, ...table.input },
      { refetchInterval: () => poll(CALM_MS), placeholderData: keepPreviousData },
    ),
  );
  const sources = list.data?.items ?? [];
  const { selection, chosen, choose, clear } = useSelection(
    sources,
    ({ id, name, documentCount }: Source) => ({
      id,
      name,
      documentCount,
    }),
  );
  const isFirstVisit = list.isSuccess && sources.length === 0 && !table.isFiltered && !table.place.after;
  const addSource = viewer.canWrite && (
    <ButtonLink href="/sources/new" variant="primary" icon={<Plus aria-hidden size={15} />}>
      Add source
    </ButtonLink>
  );

  return (
    <>
      <PageHeader
        title="Sources"
        meta={
          !isFirstVisit && (
            <Link href="/feeds" className="inline-flex items-center gap-1 max-md:py-2.5">
              All feeds <ArrowRight aria-hidden size={13} />
            </Link>
          )
        }
        actions={
          !isFirstVisit && (
            <>
              <TransferMenu />
              {addSource}
            </>
          )
        }
      />
      {!isFirstVisit && <Health />}
      <ListTable
        name="sources"
        caption="Sources"
        what="The sources"
        query={list}
        state={table}
        columns={sourceColumns({
          typeWords,
          canWrite: viewer.canWrite,
          onAct: actions.run,
          onDelete: setDeleting,
        })}
        rowKey={(source) => source.id}
        rowLabel={(source) => source.name}
        rowHref={(source) => `/sources/${source.id}`}
        selection={viewer.canWrite ? selection : undefined}
        filters={<SourceFilters table={table} />}
        csv={exportHref("sources", { ...table.filterInput, ...table.input })}
        empty={
          <EmptyState
            icon={<Rss aria-hidden size={28} />}
            title="Nothing is connected yet"
            action={
              addSource && (
                <>
                  <ButtonLink href="/sources/import" icon={<Import aria-hidden size={15} />}>
                    Import OPML
                  </ButtonLink>
                  {addSource}
                </>
              )
            }
          >
            A source is a site, an account or a program of yours. Type the address of any site with a feed and
            Tidemark finds the rest.
          </EmptyState>
        }
        noMatch="None of your sources has this status, type and name."
      />
      <SourceBulkBar
        chosen={chosen}
        filters={table.filterInput}
        hasMore={Boolean(list.data?.nextAfter || list.data?.prevBefore)}
        onChoose={choose}
        onClear={clear}
      />
      <DeleteSourceDialog source={deleting} onClose={() => setDeleting(null)} />
    </>
  );
}
