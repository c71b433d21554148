"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { parseAsBoolean, parseAsString, useQueryStates } from "nuqs";
import { CallError } from "@/app/_shared/call-error";
import { StatusBadge } from "@/app/(dashboard)/_components/status-badge";
import { CALM_MS, LIVE_MS } from "@/app/(dashboard)/_lib/polling";
import type { DocumentRow } from "@/app/(dashboard)/_lib/types";
import { useViewer } from "@/app/(dashboard)/_lib/viewer";
import { ButtonLink } from "@/components/button";
import { DataTable } from "@/components/data-table";
import { EmptyState } from "@/components/empty-state";
import { FilterSelect } from "@/components/field";
import { Pager } from "@/components/pager";
import { RelativeTime } from "@/components/relative-time";
import { TableSkeleton } from "@/components/skeleton";
import type { Column } from "@/components/table-column";
import { useTRPC } from "@/trpc/client";

/** Of a tombstone nothing is left but its id and that it is one. */
const STATE: Column<DocumentRow> = {
  id: "state",
  header: "State",
  width: "156px",
  cell: () => <StatusBadge status="tombstone" />,
};

const COLUMNS: Column<DocumentRow>[] = [
  { id: "title", header: "Title", cell: (row) => row.title || row.externalId },
  {
    id: "date",
    header: "Published",
    width: "124px",
    from: "md",
    cell: (row) => row.date && <RelativeTime at={row.date} />,
  },
  {
    id: "changed",
    header: "Changed here",
    width: "124px",
    cell: (row) => <RelativeTime at={row.changedAt} />,
  },
  {
    id: "version",
    header: "Version",
    width: "96px",
    align: "right",
    from: "lg",
    cards: false,
    cell: (row) => <span className="font-mono text-xs">{row.version ?? "–"}</span>,
  },
];

export function DocumentsTab({
  feedId,
  isSyncing,
  sourceType,
}: {
  feedId: string;
  isSyncing: boolean;
  sourceType: string;
}) {
  const trpc = useTRPC();
  const viewer = useViewer();
  const [{ deleted, after }, setState] = useQueryStates({
    deleted: parseAsBoolean,
    after: parseAsString,
  });
  const list = useQuery(
    trpc.documents.list.queryOptions(
      { feedId, limit: 50, order: "newest", ...(deleted && { deleted }), ...(after && { after }) },
      { refetchInterval: isSyncing ? LIVE_MS : CALM_MS, placeholderData: keepPreviousData },
    ),
  );
  if (list.isPending) return <TableSkeleton rows={8} columns={4} />;
  if (!list.data) {
    return (
      <CallError
        error={list.error}
        what="The documents could not be read"
        onRetry={() => void list.refetch()}
      />
    );
  }
  const rows = list.data.items;
  if (rows.length === 0 && !deleted && !after) {
    return sourceType === "api" ? (
      <EmptyState
        title="Waiting for the first push"
        action={viewer.canAdmin && <ButtonLink href={`/tokens?feed=${feedId}`}>Get a snippet</ButtonLink>}
      >
        Your program sends documents to this feed over the API; they appear here within a second.
      </EmptyState>
    ) : (
      <EmptyState title={isSyncing ? "The first sync is under way" : "No documents yet"}>
        {isSyncing
          ? "Documents appear here page by page, as they are stored."
          : "The next sync brings what the upstream lists. “Sync now” does it at once."}
      </EmptyState>
    );
  }
  return (
    <>
      <div className="mb-3 flex">
        <FilterSelect
          label="Which documents"
          value={deleted ? "true" : ""}
          onChange={(event) => void setState({ deleted: event.target.value === "true" || null, after: null })}
        >
          <option value="">Present</option>
          <option value="true">Deleted upstream</option>
        </FilterSelect>
      </div>
      {rows.length === 0 ? (
        <EmptyState title="None of these">No document of this feed is in this state.</EmptyState>
      ) : (
        <DataTable
          caption="Documents"
          columns={deleted ? [...COLUMNS.slice(0, 1), STATE, ...COLUMNS.slice(2)] : COLUMNS}
          rows={rows}
          rowKey={(row) => row.id}
          rowLabel={(row) => row.title || row.externalId}
          rowHref={(row) => `/documents/${row.id}`}
        />
      )}
      <Pager
        after={after}
        nextAfter={list.data.nextAfter}
        onChange={(next) => void setState({ after: next }, { history: "push" })}
        older="More"
        newest="First page"
      />
    </>
  );
}
