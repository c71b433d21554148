"use client";

import { WifiOff } from "lucide-react";
import { RelativeTime } from "@/components/relative-time";
import { useLiveState } from "@/trpc/use-live";

/** Nothing while changes come by themselves; since when they do not, otherwise. */
export function ConnectionMark() {
  const live = useLiveState();
  return (
    <p role="status" className="mr-1 text-xs text-warn">
      {live.state === "lost" && (
        <span className="flex items-center gap-1.5 rounded-full bg-warn-soft px-2 py-0.75">
          <WifiOff aria-hidden size={12} className="shrink-0" />
          <span>
            <span className="max-sm:sr-only">Live updates lost </span>
            <RelativeTime at={live.since} />
            <span className="sr-only">. Pages ask for changes every few seconds meanwhile.</span>
          </span>
        </span>
      )}
    </p>
  );
}
