/** The same colour for the same thing everywhere; app/globals.css has them for both themes. */
export const COLOURS = {
  created: "var(--accent)",
  updated: "var(--chart-updated)",
  deleted: "var(--chart-deleted)",
  succeeded: "var(--ok)",
  partial: "var(--chart-partial)",
  failed: "var(--bad)",
  cancelled: "var(--ink-faint)",
  typical: "var(--accent)",
  slow: "var(--chart-updated)",
} as const;
