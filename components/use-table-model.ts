"use client";

import {
  columnVisibilityFeature,
  rowSelectionFeature,
  rowSortingFeature,
  tableFeatures,
  useTable,
} from "@tanstack/react-table";
import { useMemo } from "react";
import type { Selection } from "@/components/data-table";
import { type Column, isShown, type Sort, type Visibility } from "@/components/table-column";
import { sortRows } from "@/components/table-sort";

const features = tableFeatures({ columnVisibilityFeature, rowSelectionFeature, rowSortingFeature });

/**
 * The state of a table: which columns, which rows are chosen, in what order. Rows come sorted by the
 * server, or are sorted here where a column knows its values; the markup is the caller's.
 */
export function useTableModel<Row extends object>({
  columns,
  rows,
  rowKey,
  selection,
  sort,
  visibility,
}: {
  columns: Column<Row>[];
  rows: Row[];
  rowKey(row: Row): string;
  selection: Selection | undefined;
  sort: Sort | undefined;
  visibility: Visibility | undefined;
}) {
  const data = useMemo(() => sortRows(rows, columns, sort), [rows, columns, sort]);
  const definitions = useMemo(
    () => columns.map(({ id, sortKey }) => ({ id, enableSorting: sortKey !== undefined })),
    [columns],
  );
  const columnVisibility = Object.fromEntries(
    columns.map((column) => [column.id, isShown(column, visibility)]),
  );
  const rowSelection = Object.fromEntries([...(selection?.selected ?? [])].map((id) => [id, true as const]));
  const table = useTable({
    features,
    data,
    columns: definitions,
    getRowId: rowKey,
    manualSorting: true,
    enableRowSelection: selection !== undefined,
    state: { columnVisibility, rowSelection },
    onRowSelectionChange: (update) => {
      const next = typeof update === "function" ? update(rowSelection) : update;
      selection?.onChange(new Set(Object.keys(next)));
    },
  });
  const byId = new Map(columns.map((column) => [column.id, column]));
  const shown = table.getVisibleLeafColumns().flatMap(({ id }) => byId.get(id) ?? []);
  return { shown, table };
}
