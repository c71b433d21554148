/** The causes that the filter offers; others come from the overview and stand in the URL. */
export const CAUSES = [
  "needs_reconnect",
  "paused_by_failures",
  "disabled",
  "rate_limited",
  "cursor_stuck",
  "held_deletes",
  "rejections",
] as const;

const WORDS: Record<string, string> = {
  needs_reconnect: "Needs reconnecting",
  paused_by_failures: "Paused by failures",
  disabled: "Gone for good",
  rate_limited: "Rate limited",
  cursor_stuck: "Cursor stands still",
  held_deletes: "Deletes to decide",
  rejections: "Rejected documents",
};

/** "Failing: forbidden" for `failing:forbidden`. */
export function causeInWords(cause: string): string {
  const known = WORDS[cause];
  if (known) return known;
  const [kind = "", code] = cause.split(":");
  const words = (code ?? kind).replaceAll(/[_.-]/g, " ");
  return code ? `Failing: ${words}` : words;
}
