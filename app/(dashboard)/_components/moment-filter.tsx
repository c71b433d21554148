"use client";

import { useIsBrowser } from "@/components/clock";
import { FilterInput } from "@/components/field";

/** A moment in the viewer's zone; the URL keeps it in UTC. */
export function MomentFilter({
  label,
  value,
  onChange,
}: {
  label: string;
  value: Date | null;
  onChange(value: Date | null): void;
}) {
  const isBrowser = useIsBrowser();
  return (
    <span className="flex items-center gap-1.5 text-sm text-ink-muted max-md:basis-full">
      <span aria-hidden>{label}</span>
      <FilterInput
        type="datetime-local"
        className="max-md:min-w-0 max-md:flex-1"
        label={label}
        // The zone is the browser's, so the server leaves it empty.
        value={value && isBrowser ? toLocalInput(value) : ""}
        onChange={(event) => {
          const next = new Date(event.target.value);
          onChange(Number.isNaN(next.getTime()) ? null : next);
        }}
      />
    </span>
  );
}

function toLocalInput(date: Date): string {
  const local = new Date(date.getTime() - date.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 16);
}
