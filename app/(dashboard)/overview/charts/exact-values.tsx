import type { Series } from "@/app/(dashboard)/overview/charts/series";

/** What the pointer stands on, exactly. Handed to the drawing library as its tooltip. */
export function ExactValues<Key extends string>({
  active,
  label,
  payload,
  series,
  format,
  nameOf,
}: {
  active?: boolean;
  label?: string | number;
  payload?: readonly { dataKey?: unknown; value?: unknown }[];
  series: readonly Series<Key>[];
  format(value: number): string;
  nameOf(at: string): string;
}) {
  if (!active || !payload || payload.length === 0) return null;
  const values = new Map(payload.map((entry) => [entry.dataKey, entry.value]));
  return (
    <div className="rounded-md border border-line-strong bg-raised px-2.5 py-1.5 text-xs shadow-menu">
      <p className="mb-0.5 font-medium">{nameOf(String(label))}</p>
      {series.map(({ key, name, colour }) => {
        const value = values.get(key);
        return (
          <p key={key} className="flex items-center gap-1.5 text-ink-muted">
            <span className="size-2 rounded-full" style={{ background: colour }} />
            <span className="flex-1">{name}</span>
            <span className="pl-3 text-ink tabular-nums">
              {typeof value === "number" ? format(value) : "none"}
            </span>
          </p>
        );
      })}
    </div>
  );
}
