"use client";

import { useQuery } from "@tanstack/react-query";
import { FilterSelect } from "@/components/field";
import { useTRPC } from "@/trpc/client";

type Origin = { source: string | null; feed: string | null };

/** A source, and one of its feeds: two choices in a row of filters. Another source leaves the feed open. */
export function OriginChoice({ source, feed, onChange }: Origin & { onChange(origin: Origin): void }) {
  const trpc = useTRPC();
  const sources = useQuery(trpc.sources.list.queryOptions({ limit: 200 }));
  const feeds = useQuery(trpc.feeds.list.queryOptions({ limit: 200, ...(source && { sourceId: source }) }));
  return (
    <>
      <Choice
        label="Source"
        any="Any source"
        value={source}
        known={(sources.data?.items ?? []).map(({ id, name }) => ({ id, name }))}
        onChange={(next) => onChange({ source: next, feed: null })}
      />
      <Choice
        label="Feed"
        any="Any feed"
        value={feed}
        known={(feeds.data?.items ?? []).map(({ id, displayName }) => ({ id, name: displayName }))}
        onChange={(next) => onChange({ source, feed: next })}
      />
    </>
  );
}

function Choice({
  label,
  any,
  value,
  known,
  onChange,
}: {
  label: string;
  any: string;
  value: string | null;
  known: { id: string; name: string }[];
  onChange(value: string | null): void;
}) {
  const isKnown = !value || known.some(({ id }) => id === value);
  return (
    <FilterSelect
      label={label}
      value={value ?? ""}
      onChange={(event) => onChange(event.target.value || null)}
    >
      <option value="">{any}</option>
      {!isKnown && value && <option value={value}>{value}</option>}
      {known.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </FilterSelect>
  );
}
