"use client";

import { CartesianGrid, Line, LineChart, ResponsiveContainer, Tooltip, XAxis, YAxis } from "recharts";
import { AXIS, GRID, MARGIN } from "@/app/(dashboard)/overview/charts/axis";
import { ExactValues } from "@/app/(dashboard)/overview/charts/exact-values";
import type { ChartRow, Series } from "@/app/(dashboard)/overview/charts/series";
import { roundTicks } from "@/app/(dashboard)/overview/charts/ticks";

/** Lines from zero. Days without a value are gaps, but a day alone still shows as a point. */
export function Lines<Key extends string>({
  rows,
  series,
  steps,
  format,
  nameOf,
}: {
  rows: readonly ChartRow<Key>[];
  series: readonly Series<Key>[];
  /** Which distances between its lines are round. */
  steps?: readonly number[];
  format(value: number): string;
  nameOf(at: string): string;
}) {
  const ticks = roundTicks(
    Math.max(0, ...rows.flatMap((row) => series.map(({ key }) => row[key] ?? 0))),
    steps,
  );
  return (
    <ResponsiveContainer width="100%" height="100%">
      <LineChart data={[...rows]} margin={MARGIN} accessibilityLayer={false}>
        <CartesianGrid {...GRID} />
        <XAxis {...AXIS} dataKey="at" tickFormatter={nameOf} minTickGap={36} />
        <YAxis
          {...AXIS}
          width={56}
          domain={[0, ticks.at(-1) ?? 1]}
          ticks={ticks}
          interval={0}
          // Round already: "5.0 s" would only look exact.
          tickFormatter={(tick: number) => (tick === 0 ? "0" : format(tick).replace(".0 ", " "))}
        />
        <Tooltip
          isAnimationActive={false}
          cursor={{ stroke: "var(--line-strong)" }}
          content={<ExactValues series={series} format={format} nameOf={nameOf} />}
        />
        {series.map(({ key, name, colour }) => (
          <Line
            key={key}
            dataKey={key}
            name={name}
            stroke={colour}
            strokeWidth={1.75}
            dot={{ r: 2.25, fill: colour, strokeWidth: 0 }}
            isAnimationActive={false}
          />
        ))}
      </LineChart>
    </ResponsiveContainer>
  );
}
