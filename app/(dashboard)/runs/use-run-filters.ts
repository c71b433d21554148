"use client";

import { parseAsIsoDateTime, parseAsString, parseAsStringLiteral } from "nuqs";
import { useTableState } from "@/app/(dashboard)/_lib/use-table-state";
import { EXECUTORS, RUN_SORTS, RUN_STATUSES, RUN_TRIGGERS } from "@/server/runs/choices";

const parsers = {
  feed: parseAsString,
  source: parseAsString,
  status: parseAsStringLiteral(RUN_STATUSES),
  executor: parseAsStringLiteral(EXECUTORS),
  trigger: parseAsStringLiteral(RUN_TRIGGERS),
  since: parseAsIsoDateTime,
  until: parseAsIsoDateTime,
};

/** The trail's filters, order and place, kept in the URL so that a view can be sent to someone. */
export function useRunTable() {
  const table = useTableState(parsers, RUN_SORTS);
  const { feed, source, status, executor, trigger, since, until } = table.filters;
  return {
    ...table,
    filterInput: {
      ...(feed && { feedId: feed }),
      ...(source && { sourceId: source }),
      ...(status && { status }),
      ...(executor && { executor }),
      ...(trigger && { trigger }),
      ...(since && { since: since.toISOString() }),
      ...(until && { until: until.toISOString() }),
    },
  };
}

export type RunTableState = ReturnType<typeof useRunTable>;
