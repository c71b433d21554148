"use client";

import { useState } from "react";
import { MomentFilter } from "@/app/(dashboard)/_components/moment-filter";
import { FilterSelect } from "@/components/field";

type Period = { since: Date | null; until: Date | null };

const HOUR_MS = 3_600_000;
const LASTS = [
  { hours: 1, words: "Last hour" },
  { hours: 24, words: "Last 24 hours" },
  { hours: 7 * 24, words: "Last 7 days" },
] as const;

/** When: a usual time before now at a choice, or two moments. The URL keeps moments, so a view can be sent to someone. */
export function PeriodFilter({ since, until, onChange }: Period & { onChange(period: Period): void }) {
  const [isOpen, setOpen] = useState(false);
  const isBetween = isOpen || since !== null || until !== null;

  function choose(value: string) {
    setOpen(value === "between");
    const last = LASTS.find(({ hours }) => String(hours) === value);
    if (last) onChange({ since: new Date(Date.now() - last.hours * HOUR_MS), until: null });
    else if (value === "") onChange({ since: null, until: null });
  }

  return (
    <>
      <FilterSelect
        label="When"
        value={isBetween ? "between" : ""}
        onChange={(event) => choose(event.target.value)}
      >
        <option value="">Any time</option>
        {LASTS.map(({ hours, words }) => (
          <option key={hours} value={hours}>
            {words}
          </option>
        ))}
        <option value="between">Between…</option>
      </FilterSelect>
      {isBetween && (
        // Both on a line of their own: neither stands alone where one more would not fit.
        <div className="flex basis-full flex-wrap gap-x-3 gap-y-2">
          <MomentFilter label="Since" value={since} onChange={(next) => onChange({ since: next, until })} />
          <MomentFilter label="Until" value={until} onChange={(next) => onChange({ since, until: next })} />
        </div>
      )}
    </>
  );
}
