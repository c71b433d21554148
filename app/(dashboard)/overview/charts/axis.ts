/** How every chart's axes look: quiet, so that the values speak. */
export const AXIS = {
  tick: { fill: "var(--ink-muted)", fontSize: 12 },
  tickLine: false,
  axisLine: { stroke: "var(--line)" },
} as const;

export const GRID = { vertical: false, stroke: "var(--line)" } as const;

export const MARGIN = { top: 8, right: 4, bottom: 0, left: 0 } as const;
