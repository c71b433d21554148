import { ArrowDown, ArrowUp, ArrowUpDown } from "lucide-react";
import { classNames } from "@/components/class-names";
import type { Column, Sort } from "@/components/table-column";

/** A header that sorts: first the way that suits it, then the other, then as it came. */
export function HeaderContent<Row>({ column, sort }: { column: Column<Row>; sort: Sort | undefined }) {
  if (column.isActions) return <span className="sr-only">{column.header}</span>;
  const { sortKey } = column;
  if (!sort || sortKey === undefined) return column.header;
  const isChosen = sort.column === sortKey;
  const first = column.sortFirst === "desc";
  const Icon = !isChosen ? ArrowUpDown : sort.descending ? ArrowDown : ArrowUp;
  return (
    <button
      type="button"
      className={classNames(
        "group/sort inline-flex items-center gap-1 align-top hover:text-ink",
        // The mark stands on the inner side, so that header and numbers end on one line.
        column.align === "right" && "flex-row-reverse",
      )}
      onClick={() => {
        if (!isChosen) sort.onChange(sortKey, first);
        else if (sort.descending === first) sort.onChange(sortKey, !first);
        else sort.onChange(null, false);
      }}
    >
      {column.header}
      <Icon
        aria-hidden
        size={12}
        className={
          isChosen ? undefined : "opacity-0 group-hover/sort:opacity-100 group-focus-visible/sort:opacity-100"
        }
      />
    </button>
  );
}

export function ariaSort<Row>(
  { sortKey }: Column<Row>,
  sort: Sort | undefined,
): "ascending" | "descending" | undefined {
  if (sortKey === undefined || sort?.column !== sortKey) return undefined;
  return sort.descending ? "descending" : "ascending";
}

/** A copy in the chosen order; the rows themselves where whoever sent them sorted them. */
export function sortRows<Row>(rows: Row[], columns: Column<Row>[], sort: Sort | undefined): Row[] {
  const readValue = sort?.column
    ? columns.find((column) => column.sortKey === sort.column)?.sortValue
    : undefined;
  if (!sort || !readValue) return rows;
  const direction = sort.descending ? -1 : 1;
  return [...rows].sort((one, other) => {
    const [a, b] = [readValue(one), readValue(other)];
    return direction * (typeof a === "string" ? a.localeCompare(String(b), "en") : a - Number(b));
  });
}
