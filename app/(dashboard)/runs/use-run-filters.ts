"use client";

import { parseAsIsoDateTime, parseAsString, parseAsStringLiteral, useQueryStates } from "nuqs";
import { EXECUTORS, RUN_STATUSES, RUN_TRIGGERS } from "@/server/runs/schema";

const parsers = {
  feed: parseAsString,
  source: parseAsString,
  status: parseAsStringLiteral(RUN_STATUSES),
  executor: parseAsStringLiteral(EXECUTORS),
  trigger: parseAsStringLiteral(RUN_TRIGGERS),
  since: parseAsIsoDateTime,
  until: parseAsIsoDateTime,
  after: parseAsString,
};

/** The trail's filters, kept in the URL so that a view can be sent to someone. */
export function useRunFilters() {
  const [state, setState] = useQueryStates(parsers, { history: "replace" });
  const { feed, source, status, executor, trigger, since, until, after } = state;
  return {
    ...state,
    input: {
      ...(feed && { feedId: feed }),
      ...(source && { sourceId: source }),
      ...(status && { status }),
      ...(executor && { executor }),
      ...(trigger && { trigger }),
      ...(since && { since: since.toISOString() }),
      ...(until && { until: until.toISOString() }),
      ...(after && { after }),
    },
    isFiltered: Boolean(feed || source || status || executor || trigger || since || until || after),
    /** Another filter starts at the newest run. */
    set: (next: Partial<Omit<typeof state, "after">>) => void setState({ ...next, after: null }),
    setAfter: (next: string | null) => void setState({ after: next }, { history: "push" }),
    clear: () => void setState(null),
  };
}

export type RunFilterState = ReturnType<typeof useRunFilters>;
