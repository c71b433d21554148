"use client";

import { Button } from "@/components/button";

/** Pages of a list that is read newest first. Both marks live in the URL, so Back works too. */
export function Pager({
  after,
  nextAfter,
  onChange,
  older = "Older",
  newest = "Newest",
}: {
  after: string | null;
  nextAfter: string | null;
  onChange(after: string | null): void;
  older?: string;
  newest?: string;
}) {
  if (!after && !nextAfter) return null;
  return (
    <nav aria-label="Pages" className="mt-3 flex justify-end gap-2">
      <Button size="sm" disabled={!after} onClick={() => onChange(null)}>
        {newest}
      </Button>
      <Button size="sm" disabled={!nextAfter} onClick={() => onChange(nextAfter)}>
        {older}
      </Button>
    </nav>
  );
}
