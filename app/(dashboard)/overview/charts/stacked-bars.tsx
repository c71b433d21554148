"use client";

import { Bar, BarChart, CartesianGrid, ResponsiveContainer, Tooltip, XAxis, YAxis } from "recharts";
import { AXIS, GRID, MARGIN } from "@/app/(dashboard)/overview/charts/axis";
import { ExactValues } from "@/app/(dashboard)/overview/charts/exact-values";
import type { ChartRow, Series } from "@/app/(dashboard)/overview/charts/series";
import { roundTicks } from "@/app/(dashboard)/overview/charts/ticks";
import { roundCount } from "@/components/numbers";

/** Bars from zero, one kind upon the other. */
export function StackedBars<Key extends string>({
  rows,
  series,
  format,
  nameOf,
}: {
  rows: readonly ChartRow<Key>[];
  series: readonly Series<Key>[];
  format(value: number): string;
  nameOf(at: string): string;
}) {
  const ticks = roundTicks(
    Math.max(0, ...rows.map((row) => series.reduce((sum, { key }) => sum + (row[key] ?? 0), 0))),
  );
  return (
    <ResponsiveContainer width="100%" height="100%">
      <BarChart data={[...rows]} margin={MARGIN} barCategoryGap={1} accessibilityLayer={false}>
        <CartesianGrid {...GRID} />
        <XAxis {...AXIS} dataKey="at" tickFormatter={nameOf} minTickGap={36} />
        <YAxis
          {...AXIS}
          width={44}
          domain={[0, ticks.at(-1) ?? 1]}
          ticks={ticks}
          interval={0}
          tickFormatter={roundCount}
        />
        <Tooltip
          isAnimationActive={false}
          cursor={{ fill: "var(--hover)" }}
          content={<ExactValues series={series} format={format} nameOf={nameOf} />}
        />
        {series.map(({ key, name, colour }) => (
          <Bar key={key} dataKey={key} name={name} stackId="all" fill={colour} isAnimationActive={false} />
        ))}
      </BarChart>
    </ResponsiveContainer>
  );
}
