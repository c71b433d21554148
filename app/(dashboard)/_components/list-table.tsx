"use client";

import { ListFilter } from "lucide-react";
import { type ReactNode, useState } from "react";
import { CallError } from "@/app/_shared/call-error";
import { CsvLink } from "@/app/(dashboard)/_components/csv-link";
import { StaleMark } from "@/app/(dashboard)/_components/stale-mark";
import type { TableState } from "@/app/(dashboard)/_lib/use-table-state";
import { Button } from "@/components/button";
import { ColumnChoice } from "@/components/column-choice";
import { DataTable, type Selection } from "@/components/data-table";
import { EmptyState } from "@/components/empty-state";
import { Pager } from "@/components/pager";
import { TableSkeleton } from "@/components/skeleton";
import type { Column } from "@/components/table-column";
import { useColumnChoice } from "@/components/use-column-choice";

type ListPage<Row> = { items: Row[]; nextAfter: string | null; prevBefore: string | null };
type ListQuery<Row> = {
  data: ListPage<Row> | undefined;
  isPending: boolean;
  isRefetchError: boolean;
  error: unknown;
  dataUpdatedAt: number;
  refetch(): unknown;
};

/** A list with everything around it: filters, columns, CSV, the four states, pages both ways. */
export function ListTable<Row extends object>({
  name,
  caption,
  what,
  query,
  state,
  columns,
  rowKey,
  rowLabel,
  rowHref,
  selection,
  filters,
  csv,
  empty,
  noMatch,
}: {
  /** Under which the viewer's columns are remembered. */
  name: string;
  caption: string;
  /** "The feeds", for "The feeds could not be read". */
  what: string;
  query: ListQuery<Row>;
  state: TableState;
  columns: Column<Row>[];
  rowKey(row: Row): string;
  rowLabel(row: Row): string;
  rowHref?(row: Row): string;
  selection?: Selection;
  filters?: ReactNode;
  /** Address of the same list as CSV. */
  csv?: string;
  /** Shown when there is nothing at all. */
  empty: ReactNode;
  /** One sentence for when the filters leave nothing. */
  noMatch: string;
}) {
  const choice = useColumnChoice(name);
  // A phone has room for the search alone; the other filters stand behind a button, unless they are in use.
  const [areFiltersOpen, setFiltersOpen] = useState(state.isFiltered);
  const { data } = query;
  const isEmpty = data?.items.length === 0;
  const isAtStart = !state.place.after && !state.place.before;
  if (isEmpty && isAtStart && !state.isFiltered && !data.nextAfter) {
    return (
      <>
        <StaleMark query={query} />
        {empty}
      </>
    );
  }
  return (
    <>
      <StaleMark query={query} />
      <div className="mb-3 flex flex-wrap items-start justify-between gap-2">
        <div
          data-folded={areFiltersOpen ? undefined : ""}
          className="list-filters flex min-w-0 flex-1 flex-wrap md:basis-72"
        >
          {filters}
        </div>
        <div className="ml-auto flex gap-2">
          {filters && (
            <Button
              className="w-10 px-0 md:hidden"
              icon={<ListFilter aria-hidden size={16} />}
              aria-label="Filters"
              aria-expanded={areFiltersOpen}
              onClick={() => setFiltersOpen(!areFiltersOpen)}
            />
          )}
          <ColumnChoice columns={columns} choice={choice} />
          {csv && <CsvLink href={csv} />}
        </div>
      </div>
      {query.isPending && <TableSkeleton rows={10} columns={5} />}
      {!data && query.error ? (
        <CallError
          error={query.error}
          what={`${what} could not be read`}
          // A cursor may be of another order, or older than the list: the start always works.
          onRetry={() => (isAtStart ? void query.refetch() : state.toStart())}
        />
      ) : null}
      {isEmpty && (
        <EmptyState
          title={state.isFiltered ? "Nothing matches" : "Nothing here any more"}
          action={
            <Button onClick={state.isFiltered ? state.clear : state.toStart}>
              {state.isFiltered ? "Clear filters" : "First page"}
            </Button>
          }
        >
          {noMatch}
        </EmptyState>
      )}
      {data && data.items.length > 0 && (
        <DataTable
          caption={caption}
          columns={columns}
          rows={data.items}
          rowKey={rowKey}
          rowLabel={rowLabel}
          rowHref={rowHref}
          selection={selection}
          sort={state.sort}
          visibility={choice.visibility}
        />
      )}
      {data && (
        <Pager
          place={state.place}
          nextAfter={data.nextAfter}
          prevBefore={data.prevBefore}
          onChange={state.goTo}
        />
      )}
    </>
  );
}
