"use client";

import { parseAsBoolean, parseAsString, useQueryStates } from "nuqs";
import type { Sort } from "@/components/table-column";

/** A table's order, kept in the URL as `sort` and `desc`. */
export function useSort(): Sort {
  const [{ sort, desc }, setState] = useQueryStates({
    sort: parseAsString,
    desc: parseAsBoolean.withDefault(false),
  });
  return {
    column: sort,
    descending: desc,
    onChange: (column, descending) => void setState({ sort: column, desc: descending || null }),
  };
}
