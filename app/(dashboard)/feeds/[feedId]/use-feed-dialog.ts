"use client";

import { parseAsString, parseAsStringLiteral, useQueryStates } from "nuqs";

const DIALOGS = ["edit", "move", "reset", "delete"] as const;
export type FeedDialog = (typeof DIALOGS)[number];

/**
 * Which question stands in front of the feed's page, kept in the URL so that a link can lead to it.
 * `to` is where a reset leads: a transition's id, or `run:` and a run's id for "before this run".
 */
export function useFeedDialog() {
  const [{ open, to }, setState] = useQueryStates({
    open: parseAsStringLiteral(DIALOGS),
    to: parseAsString,
  });
  const show = (next: FeedDialog | null, target: string | null = null) =>
    void setState({ open: next, to: target });
  return [{ open, to }, show] as const;
}
