"use client";

import { parseAsBoolean, parseAsString, type UseQueryStatesKeysMap, useQueryStates } from "nuqs";
import type { Place } from "@/components/pager";
import type { Sort } from "@/components/table-column";

const ORDER = { sort: parseAsString, desc: parseAsBoolean };
const PLACE = { after: parseAsString, before: parseAsString };

/**
 * A table's filters, order and place, all kept in the URL, so that a view can be sent to someone. A
 * cursor belongs to its order and filters: another of those begins at the first page.
 *
 * @param sorts what the server knows to sort by; anything else in the URL is ignored.
 */
export function useTableState<Filters extends UseQueryStatesKeysMap, Key extends string>(
  parsers: Filters,
  sorts: readonly Key[],
) {
  const [filters, setFilters] = useQueryStates(parsers, { history: "replace" });
  const [order, setOrder] = useQueryStates(ORDER, { history: "replace" });
  const [place, setPlace] = useQueryStates(PLACE, { history: "push" });
  const sortKey = sorts.find((known) => known === order.sort) ?? null;

  const goTo = (next: Place) => void setPlace(next);
  const toStart = () => void setPlace(null, { history: "replace" });
  const sort: Sort = {
    column: sortKey,
    descending: order.desc ?? false,
    onChange(column, descending) {
      void setOrder({ sort: column, desc: column === null ? null : descending });
      toStart();
    },
  };
  return {
    filters,
    set(next: Partial<typeof filters>) {
      void setFilters(next as Parameters<typeof setFilters>[0]);
      toStart();
    },
    clear() {
      void setFilters(null);
      toStart();
    },
    isFiltered: Object.values(filters).some((value) => value !== null && value !== undefined),
    sort,
    place,
    goTo,
    toStart,
    /** For the server, beside the filters. */
    input: {
      ...(sortKey && { sort: sortKey, dir: order.desc ? ("desc" as const) : ("asc" as const) }),
      ...(place.after ? { after: place.after } : place.before ? { before: place.before } : {}),
    },
  };
}

export type TableState = Pick<
  ReturnType<typeof useTableState>,
  "sort" | "place" | "goTo" | "toStart" | "clear" | "isFiltered"
>;
