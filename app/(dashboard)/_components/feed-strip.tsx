import type { Outputs } from "@/app/(dashboard)/_lib/types";
import { classNames } from "@/components/class-names";

export type FeedDay = Outputs["feeds"]["history"][number]["days"][number];

/** What a day was, by its worst run. */
function toneOf({
  failed,
  partial,
  succeeded,
  cancelled,
}: FeedDay): "bad" | "warn" | "ok" | "quiet" | "none" {
  if (failed > 0) return succeeded > 0 ? "warn" : "bad";
  if (partial > 0) return "warn";
  if (succeeded > 0) return "ok";
  return cancelled > 0 ? "quiet" : "none";
}

/** Height says it too: colour alone tells nothing to some. */
const LOOK = {
  ok: "h-full bg-ok",
  warn: "h-3/4 bg-warn",
  bad: "h-1/2 bg-bad",
  quiet: "h-1/4 bg-ink-faint",
  none: "h-px bg-line-strong",
} as const;

export function dayInWords(day: FeedDay): string {
  const parts = [
    day.succeeded > 0 && `${day.succeeded} succeeded`,
    day.partial > 0 && `${day.partial} partial`,
    day.failed > 0 && `${day.failed} failed`,
    day.cancelled > 0 && `${day.cancelled} cancelled`,
  ].filter(Boolean);
  return parts.length === 0 ? "no run" : parts.join(", ");
}

export function stripInWords(days: readonly FeedDay[]): string {
  const bad = days.filter((day) => toneOf(day) === "bad").length;
  const mixed = days.filter((day) => toneOf(day) === "warn").length;
  const good = days.filter((day) => toneOf(day) === "ok").length;
  if (good + bad + mixed === 0) return `No run in ${days.length} days`;
  const parts = [`${good} good`, mixed > 0 && `${mixed} with trouble`, bad > 0 && `${bad} failed`];
  return `Of ${days.length} days: ${parts.filter(Boolean).join(", ")}`;
}

/** Thirty days of runs at a glance, today at the right: tall and green is a good day. */
export function FeedStrip({ days, tall }: { days: readonly FeedDay[] | undefined; tall?: boolean }) {
  if (!days) return <span aria-hidden className="skeleton block h-4 w-full max-w-40" />;
  return (
    <span
      role="img"
      aria-label={stripInWords(days)}
      className={classNames("flex items-end gap-px", tall ? "h-6" : "h-4 max-w-40")}
    >
      {days.map((day) => (
        <span
          key={day.day}
          title={`${day.day}: ${dayInWords(day)}`}
          className="flex h-full min-w-0 flex-1 items-end"
        >
          <span className={classNames("block w-full rounded-[1px]", LOOK[toneOf(day)])} />
        </span>
      ))}
    </span>
  );
}
