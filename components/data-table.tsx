"use client";

import { useRouter } from "next/navigation";
import { type MouseEvent, useRef } from "react";
import { classNames } from "@/components/class-names";
import { Link } from "@/components/link";
import { type Column, columnWords, type Sort, type Visibility } from "@/components/table-column";
import { ariaSort, HeaderContent } from "@/components/table-sort";
import { useRowKeys } from "@/components/use-row-keys";
import { useTableModel } from "@/components/use-table-model";

export type Selection = {
  selected: ReadonlySet<string>;
  onChange(selected: ReadonlySet<string>): void;
};

type DataTableProps<Row extends object> = {
  /** Names the table for screen readers. */
  caption: string;
  columns: Column<Row>[];
  rows: Row[];
  rowKey(row: Row): string;
  /** What a row is called where only words fit: "Select Harbour news". */
  rowLabel(row: Row): string;
  rowHref?(row: Row): string;
  selection?: Selection;
  sort?: Sort;
  visibility?: Visibility;
};

const FROM = { md: "max-md:hidden", lg: "max-lg:hidden" } as const;
const FROM_CARDS = { md: "xs:max-md:hidden", lg: "xs:max-lg:hidden" } as const;

/**
 * Rows of 36 px under a header that stays. A click on a row opens it, `j`/`k` walk, Enter opens; under
 * 480 px each row is a card (globals.css). The first column is the row's heading and its link.
 */
export function DataTable<Row extends object>({
  caption,
  columns,
  rows,
  rowKey,
  rowLabel,
  rowHref,
  selection,
  sort,
  visibility,
}: DataTableProps<Row>) {
  const element = useRef<HTMLTableElement>(null);
  const router = useRouter();
  useRowKeys(element);
  const { shown, table } = useTableModel({ columns, rows, rowKey, selection, sort, visibility });

  function openRow(event: MouseEvent, href: string) {
    const target = event.target as HTMLElement;
    if (target.closest("a, button, input, label, [role='menuitem']")) return;
    if (window.getSelection()?.toString()) return; // the viewer is marking text, not opening
    if (event.metaKey || event.ctrlKey) window.open(href, "_blank");
    else router.push(href);
  }

  return (
    <div className="rounded-lg border border-line bg-surface">
      {selection && (
        // Cards have no header to stand in.
        <label className="flex min-h-11 items-center gap-3 border-b border-line px-3 text-sm text-ink-muted xs:hidden">
          <input
            type="checkbox"
            className="size-5 shrink-0 accent-(--accent)"
            checked={table.getIsAllRowsSelected()}
            onChange={table.getToggleAllRowsSelectedHandler()}
          />
          Choose all shown here
        </label>
      )}
      <table
        ref={element}
        className="data-table w-full table-fixed border-separate border-spacing-0 text-sm"
        data-selecting={selection && selection.selected.size > 0 ? "" : undefined}
      >
        <caption className="sr-only">{caption}</caption>
        <thead>
          <tr>
            {selection && (
              <th scope="col" className={classNames(HEAD, "w-9 pl-3")}>
                <input
                  type="checkbox"
                  aria-label="Select all rows"
                  className="row-check block size-4 accent-(--accent)"
                  checked={table.getIsAllRowsSelected()}
                  onChange={table.getToggleAllRowsSelectedHandler()}
                />
              </th>
            )}
            {shown.map((column) => (
              <th
                key={column.id}
                scope="col"
                style={{ width: column.width }}
                aria-sort={ariaSort(column, sort)}
                className={classNames(
                  HEAD,
                  column.align === "right" && "text-right",
                  column.from && FROM[column.from],
                )}
              >
                <HeaderContent column={column} sort={sort} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {table.getRowModel().rows.map((tableRow) => {
            const row = tableRow.original;
            const href = rowHref?.(row);
            return (
              // The row's link is the accessible way in; the click on the whole row is a convenience.
              <tr
                key={tableRow.id}
                onClick={href ? (event) => openRow(event, href) : undefined}
                className={classNames(
                  "group/row h-9 has-[[data-row-link]:focus-visible]:bg-hover hover:bg-hover",
                  href && "cursor-pointer",
                  tableRow.getIsSelected() && "bg-accent-soft",
                )}
              >
                {selection && (
                  <td data-check className={classNames(CELL, "w-9 pl-3")}>
                    {/* On a card the label is room for a finger around the box. */}
                    <label className="block w-fit">
                      <input
                        type="checkbox"
                        aria-label={`Select ${rowLabel(row)}`}
                        className="row-check block size-4 accent-(--accent)"
                        checked={tableRow.getIsSelected()}
                        onChange={tableRow.getToggleSelectedHandler()}
                      />
                    </label>
                  </td>
                )}
                {shown.map((column, index) => (
                  <td
                    key={column.id}
                    data-heading={index === 0 ? "" : undefined}
                    data-actions={column.isActions ? "" : undefined}
                    data-no-card={column.cards === false ? "" : undefined}
                    data-label={
                      index === 0 || column.isActions ? undefined : (columnWords(column) ?? undefined)
                    }
                    className={classNames(
                      CELL,
                      column.align === "right" && "text-right tabular-nums",
                      column.from && (column.cards === false ? FROM[column.from] : FROM_CARDS[column.from]),
                    )}
                  >
                    {index === 0 && href ? (
                      <Link
                        href={href}
                        data-row-link
                        className="block min-w-0 truncate font-medium no-underline focus-visible:outline-offset-1"
                      >
                        {column.cell(row)}
                      </Link>
                    ) : (
                      column.cell(row)
                    )}
                  </td>
                ))}
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

const HEAD =
  "sticky top-12 z-10 h-8 border-b border-line bg-surface px-3 text-left text-xs font-medium whitespace-nowrap text-ink-muted first:rounded-tl-lg last:rounded-tr-lg";
const CELL = "truncate border-t border-line px-3 py-1 group-first/row:border-t-0";
