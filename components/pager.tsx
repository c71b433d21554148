"use client";

import { Button } from "@/components/button";

/** Where a page of a list begins: after one cursor, before another, or at the start (neither). */
export type Place = { after: string | null; before: string | null };

/** Pages of a list, both ways. The place lives in the caller's URL, so Back works too. */
export function Pager({
  place,
  nextAfter,
  prevBefore,
  onChange,
}: {
  place: Place;
  nextAfter: string | null;
  prevBefore: string | null;
  onChange(place: Place): void;
}) {
  const isFirst = !place.after && !place.before;
  if (isFirst && !nextAfter) return null;
  return (
    <nav aria-label="Pages" className="mt-3 flex justify-end gap-2">
      <Button size="sm" disabled={isFirst} onClick={() => onChange({ after: null, before: null })}>
        First page
      </Button>
      <Button size="sm" disabled={!prevBefore} onClick={() => onChange({ after: null, before: prevBefore })}>
        Previous
      </Button>
      <Button size="sm" disabled={!nextAfter} onClick={() => onChange({ after: nextAfter, before: null })}>
        Next
      </Button>
    </nav>
  );
}
