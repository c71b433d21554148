"use client";

import { WifiOff } from "lucide-react";
import { RelativeTime } from "@/components/relative-time";

/** Shown while what is on the page could not be refreshed: since when it is old. */
export function StaleMark({ query }: { query: { isRefetchError: boolean; dataUpdatedAt: number } }) {
  if (!query.isRefetchError) return null;
  return (
    <p role="status" className="mb-3 flex items-center gap-1.5 text-sm text-warn">
      <WifiOff aria-hidden size={14} />
      <span>
        The server cannot be reached. Shown as it was <RelativeTime at={new Date(query.dataUpdatedAt)} />.
      </span>
    </p>
  );
}
