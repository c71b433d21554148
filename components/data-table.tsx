"use client";

import Link from "next/link";
import { useRouter } from "next/navigation";
import { type MouseEvent, useEffect, useRef } from "react";
import { classNames } from "@/components/class-names";
import type { Column, Sort } from "@/components/table-column";
import { ariaSort, HeaderContent, sortRows } from "@/components/table-sort";

export type Selection = {
  selected: ReadonlySet<string>;
  onChange(selected: ReadonlySet<string>): void;
};

type DataTableProps<Row> = {
  /** Names the table for screen readers. */
  caption: string;
  columns: Column<Row>[];
  rows: Row[];
  rowKey(row: Row): string;
  /** What a row is called where only words fit: "Select Harbour news". */
  rowLabel(row: Row): string;
  rowHref?(row: Row): string;
  selection?: Selection;
  /** Only for lists that are here whole: sorting a page of a longer list would lie. */
  sort?: Sort;
};

const FROM = { md: "max-md:hidden", lg: "max-lg:hidden" } as const;
const FROM_CARDS = { md: "xs:max-md:hidden", lg: "xs:max-lg:hidden" } as const;

/**
 * Rows of 36 px under a header that stays. A click on a row opens it, `j`/`k` walk, Enter opens; under
 * 480 px each row is a card (globals.css). The first column is the row's heading and its link.
 */
export function DataTable<Row>({
  caption,
  columns,
  rows,
  rowKey,
  rowLabel,
  rowHref,
  selection,
  sort,
}: DataTableProps<Row>) {
  const table = useRef<HTMLTableElement>(null);
  const router = useRouter();
  useRowKeys(table);

  const sorted = sortRows(rows, columns, sort);
  const all = selection && rows.length > 0 && rows.every((row) => selection.selected.has(rowKey(row)));

  function openRow(event: MouseEvent, href: string) {
    const target = event.target as HTMLElement;
    if (target.closest("a, button, input, label, [role='menuitem']")) return;
    if (window.getSelection()?.toString()) return; // the viewer is marking text, not opening
    if (event.metaKey || event.ctrlKey) window.open(href, "_blank");
    else router.push(href);
  }

  return (
    <div className="rounded-lg border border-line bg-surface">
      <table
        ref={table}
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
                  checked={Boolean(all)}
                  onChange={() => selection.onChange(all ? new Set() : new Set(rows.map(rowKey)))}
                />
              </th>
            )}
            {columns.map((column) => (
              <th
                key={column.id}
                scope="col"
                style={{ width: column.width }}
                aria-sort={ariaSort(column.id, sort)}
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
          {sorted.map((row) => {
            const key = rowKey(row);
            const href = rowHref?.(row);
            return (
              // The row's link is the accessible way in; the click on the whole row is a convenience.
              <tr
                key={key}
                onClick={href ? (event) => openRow(event, href) : undefined}
                className={classNames(
                  "group/row h-9 has-[[data-row-link]:focus-visible]:bg-hover hover:bg-hover",
                  href && "cursor-pointer",
                  selection?.selected.has(key) && "bg-accent-soft",
                )}
              >
                {selection && (
                  <td data-check className={classNames(CELL, "w-9 pl-3")}>
                    <input
                      type="checkbox"
                      aria-label={`Select ${rowLabel(row)}`}
                      className="row-check block size-4 accent-(--accent)"
                      checked={selection.selected.has(key)}
                      onChange={() => selection.onChange(toggled(selection.selected, key))}
                    />
                  </td>
                )}
                {columns.map((column, index) => (
                  <td
                    key={column.id}
                    data-heading={index === 0 ? "" : undefined}
                    data-actions={column.isActions ? "" : undefined}
                    data-no-card={column.cards === false ? "" : undefined}
                    data-label={index === 0 || column.isActions ? undefined : cardLabel(column)}
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

function cardLabel<Row>(column: Column<Row>): string | undefined {
  return column.label ?? (typeof column.header === "string" ? column.header : undefined);
}

function toggled(selected: ReadonlySet<string>, key: string): ReadonlySet<string> {
  const next = new Set(selected);
  if (!next.delete(key)) next.add(key);
  return next;
}

/** `j` and `k` move between the rows' links, as in many lists; Enter then opens by itself. */
function useRowKeys(table: React.RefObject<HTMLTableElement | null>) {
  useEffect(() => {
    function onKey(event: KeyboardEvent) {
      if (event.key !== "j" && event.key !== "k") return;
      if (event.metaKey || event.ctrlKey || event.altKey) return;
      const target = event.target as HTMLElement;
      if (target.closest("input, textarea, select, [contenteditable], [role='dialog'], [role='menu']"))
        return;
      const links = [...(table.current?.querySelectorAll<HTMLElement>("[data-row-link]") ?? [])];
      if (links.length === 0) return;
      const current = links.indexOf(document.activeElement as HTMLElement);
      const next = current === -1 ? 0 : current + (event.key === "j" ? 1 : -1);
      links[Math.min(Math.max(next, 0), links.length - 1)]?.focus();
    }
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [table]);
}
