import type { ReactNode } from "react";
import type { ChartRow, Series } from "@/app/(dashboard)/overview/charts/series";

/** A chart under its title, its series named beside their colours, and the same as a table behind it. */
export function ChartFrame<Key extends string>({
  title,
  rows,
  series,
  firstColumn,
  format,
  nameOf,
  isSum = true,
  children,
}: {
  title: string;
  rows: readonly ChartRow<Key>[];
  series: readonly Series<Key>[];
  firstColumn: string;
  format(value: number): string;
  nameOf(at: string): string;
  /** Do the values add up over time? Then each name carries its sum. */
  isSum?: boolean;
  children: ReactNode;
}) {
  return (
    <figure className="relative min-w-0 rounded-lg border border-line bg-surface p-4">
      <figcaption className="mb-3">
        <span className="block text-sm font-semibold">{title}</span>
        <span className="mt-1 flex flex-wrap gap-x-4 gap-y-1 text-xs text-ink-muted">
          {series.map(({ key, name, colour }) => (
            <span key={key} className="inline-flex items-center gap-1.5">
              <span aria-hidden className="size-2 rounded-full" style={{ background: colour }} />
              {name}
              {isSum && (
                <span className="text-ink tabular-nums">
                  {format(rows.reduce((sum, row) => sum + (row[key] ?? 0), 0))}
                </span>
              )}
            </span>
          ))}
        </span>
      </figcaption>
      <div aria-hidden className="h-44">
        {children}
      </div>
      {/* A table takes the height it wants, so what hides it is a box around it. */}
      <div className="sr-only">
        <table>
          <caption>{title}</caption>
          <thead>
            <tr>
              <th scope="col">{firstColumn}</th>
              {series.map(({ key, name }) => (
                <th key={key} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.at}>
                <th scope="row">{nameOf(row.at)}</th>
                {series.map(({ key }) => {
                  const value = row[key];
                  return <td key={key}>{value === null ? "none" : format(value)}</td>;
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </figure>
  );
}
