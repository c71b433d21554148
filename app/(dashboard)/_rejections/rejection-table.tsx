"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { parseAsString, useQueryState } from "nuqs";
import { useSelection } from "@/app/(dashboard)/_bulk/use-selection";
import { Explain } from "@/app/(dashboard)/_components/explain";
import { ListTable } from "@/app/(dashboard)/_components/list-table";
import { SearchInput } from "@/app/(dashboard)/_components/search-input";
import { exportHref } from "@/app/(dashboard)/_lib/export-href";
import { CALM_MS } from "@/app/(dashboard)/_lib/polling";
import type { Rejection } from "@/app/(dashboard)/_lib/types";
import { useTableState } from "@/app/(dashboard)/_lib/use-table-state";
import { useViewer } from "@/app/(dashboard)/_lib/viewer";
import { RejectionBulkBar } from "@/app/(dashboard)/_rejections/rejection-bulk-bar";
import { RejectionDialog } from "@/app/(dashboard)/_rejections/rejection-dialog";
import { Button } from "@/components/button";
import { EmptyState } from "@/components/empty-state";
import { formatCount } from "@/components/numbers";
import { RelativeTime } from "@/components/relative-time";
import { plainSentence, Sentence } from "@/components/sentence";
import type { Column } from "@/components/table-column";
import { REJECTION_SORTS } from "@/server/feeds/choices";
import { useTRPC } from "@/trpc/client";
import { usePolling } from "@/trpc/use-live";

const parsers = { q: parseAsString, code: parseAsString };

/** Items that could not be stored, of one feed or of all: why, what was sent, and another try. */
export function RejectionTable({ feedId }: { feedId?: string }) {
  const trpc = useTRPC();
  const viewer = useViewer();
  const table = useTableState(parsers, REJECTION_SORTS);
  const poll = usePolling();
  const [openId, setOpenId] = useQueryState("item", parseAsString);
  const { q, code } = table.filters;
  const scope = { ...(feedId && { feedId }), ...(q && { q }), ...(code && { code }) };
  const list = useQuery(
    trpc.feeds.rejections.queryOptions(
      { limit: 50, ...scope, ...table.input },
      { refetchInterval: () => poll(CALM_MS), placeholderData: keepPreviousData },
    ),
  );
  const items = list.data?.items ?? [];
  const { selection, chosen, choose, clear } = useSelection(items, (item: Rejection) => ({
    id: item.id,
    name: item.externalId ?? "Without an id",
    feedId: item.feedId,
  }));
  const open = items.find((item) => item.id === openId);
  return (
    <>
      <ListTable
        name={feedId ? "feed-rejections" : "rejections"}
        caption="Rejected documents"
        what="The rejected documents"
        query={list}
        state={table}
        columns={columns(
          feedId === undefined,
          (code) => table.set({ code }),
          (id) => void setOpenId(id),
        )}
        rowKey={(item) => item.id}
        rowLabel={(item) => item.externalId ?? "the item without an id"}
        selection={viewer.canWrite ? selection : undefined}
        csv={exportHref("rejections", { ...scope, ...table.input })}
        filters={
          <search className="flex flex-1 flex-wrap gap-2">
            <SearchInput
              label="Filter by id or reason"
              value={q}
              onChange={(next) => table.set({ q: next })}
            />
            {code && (
              <Button aria-label={`Stop filtering by ${code}`} onClick={() => table.set({ code: null })}>
                {code} ×
              </Button>
            )}
          </search>
        }
        empty={
          <EmptyState title="Nothing was rejected">
            An item that cannot be stored is refused alone, with its reason, and kept here for another try.
          </EmptyState>
        }
        noMatch="No rejected document has such an id or reason."
      />
      {open && <RejectionDialog key={open.id} rejection={open} onClose={() => void setOpenId(null)} />}
      <RejectionBulkBar
        chosen={chosen}
        filters={scope}
        hasMore={Boolean(list.data?.nextAfter || list.data?.prevBefore)}
        onChoose={choose}
        onClear={clear}
      />
    </>
  );
}

function columns(
  withFeed: boolean,
  onCode: (code: string) => void,
  onOpen: (id: string) => void,
): Column<Rejection>[] {
  const feed: Column<Rejection> = {
    id: "feed",
    header: "Feed",
    width: "160px",
    from: "lg",
    cell: (item) => <span className="text-ink-muted">{item.feedName}</span>,
  };
  return [
    {
      id: "id",
      header: "Item",
      cell: (item) => (
        <button
          type="button"
          data-row-link
          className="block max-w-full truncate text-left font-medium hover:underline"
          onClick={() => onOpen(item.id)}
        >
          {item.externalId ?? "Without an id"}
        </button>
      ),
    },
    ...(withFeed ? [feed] : []),
    {
      id: "reason",
      header: <Explain term="rejection">Reason</Explain>,
      label: "Reason",
      cell: (item) => (
        <span title={plainSentence(item.message)}>
          <Sentence>{item.message}</Sentence>
        </span>
      ),
    },
    {
      id: "code",
      header: "Code",
      width: "152px",
      from: "md",
      cell: (item) => (
        <button
          type="button"
          title={`Show only ${item.code}`}
          className="max-w-full truncate font-mono text-xs text-ink-muted hover:text-ink hover:underline"
          onClick={() => onCode(item.code)}
        >
          {item.code}
        </button>
      ),
    },
    {
      id: "occurrences",
      header: "Times",
      sortKey: "occurrences",
      sortFirst: "desc",
      width: "80px",
      align: "right",
      from: "md",
      cell: (item) => formatCount(item.occurrences),
    },
    {
      id: "first",
      header: "First refused",
      sortKey: "first",
      sortFirst: "desc",
      width: "124px",
      from: "lg",
      isExtra: true,
      cell: (item) => <RelativeTime at={item.at} />,
    },
    {
      id: "last",
      header: "Last refused",
      sortKey: "last",
      sortFirst: "desc",
      width: "124px",
      cell: (item) => <RelativeTime at={item.lastAt} />,
    },
  ];
}
