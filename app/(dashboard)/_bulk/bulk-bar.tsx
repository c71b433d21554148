"use client";

import type { ReactNode } from "react";
import { Button } from "@/components/button";
import { countOf } from "@/components/numbers";

/** Acts on all chosen rows at once; the caller's buttons each name how many. */
export function BulkBar({
  count,
  noun,
  plural,
  onChooseAll,
  isChoosing,
  onClear,
  children,
}: {
  count: number;
  noun: string;
  plural?: string;
  /** Chooses everything that the filters match; absent when the page shows all of it. */
  onChooseAll?(): void;
  isChoosing?: boolean;
  onClear(): void;
  children: ReactNode;
}) {
  if (count === 0) return null;
  return (
    <section
      aria-label={`Acts on the chosen ${plural ?? `${noun}s`}`}
      className="fixed inset-x-2 bottom-4 z-20 mx-auto flex w-fit items-center gap-2 rounded-lg border border-line-strong bg-raised p-2 shadow-menu max-md:bottom-18 max-md:w-auto max-md:flex-wrap"
    >
      <span className="px-1 text-sm tabular-nums max-md:flex-1">{countOf(count, noun, plural)} chosen</span>
      {onChooseAll && (
        <Button
          size="sm"
          variant="ghost"
          className="max-md:order-1 max-md:basis-full"
          pendingLabel={isChoosing && "Choosing"}
          onClick={onChooseAll}
        >
          Choose all that match
        </Button>
      )}
      {/* On phones full lines under the count: two acts in each, or one that needs the room. */}
      <div className="flex gap-2 max-md:order-2 max-md:basis-full max-md:flex-wrap max-md:*:grow max-md:*:basis-[45%]">
        {children}
      </div>
      <Button size="sm" variant="ghost" onClick={onClear}>
        Clear
      </Button>
    </section>
  );
}
