"use client";

import { useIsBrowser, useNow } from "@/components/clock";
import { describeRelative, formatExact } from "@/components/time-words";

/** A time said relative to now; exact, in the viewer's zone, on hover. */
export function RelativeTime({ at, className }: { at: string | Date; className?: string }) {
  const now = useNow();
  const isBrowser = useIsBrowser();
  const date = new Date(at);
  return (
    <time
      dateTime={date.toISOString()}
      title={formatExact(date, isBrowser ? undefined : "UTC")}
      className={className}
    >
      {describeRelative(date, now)}
    </time>
  );
}

/** A time said exactly, in the viewer's zone. */
export function ExactTime({ at, className }: { at: string | Date; className?: string }) {
  const isBrowser = useIsBrowser();
  const date = new Date(at);
  return (
    <time dateTime={date.toISOString()} title={date.toISOString()} className={className}>
      {formatExact(date, isBrowser ? undefined : "UTC")}
    </time>
  );
}

/** The same for what may not have happened yet. */
export function RelativeTimeOrNever({ at }: { at: string | Date | null }) {
  return at ? <RelativeTime at={at} /> : <span className="text-ink-muted">never</span>;
}
