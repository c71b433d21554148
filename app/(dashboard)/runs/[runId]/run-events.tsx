import {
  ArrowDownToLine,
  CircleX,
  Flag,
  Globe,
  type LucideIcon,
  MessageSquareText,
  Milestone,
  TriangleAlert,
  Wind,
} from "lucide-react";
import { isActiveRun } from "@/app/(dashboard)/_lib/run-words";
import type { RunDetail } from "@/app/(dashboard)/_lib/types";
import { classNames } from "@/components/class-names";
import { Fold, RawText } from "@/components/fold";
import { formatBytes } from "@/components/numbers";
import { Panel } from "@/components/panel";
import { Sentence } from "@/components/sentence";
import { formatDuration } from "@/components/time-words";

type Event = RunDetail["events"][number];

const ICONS: Record<string, LucideIcon> = {
  request: Globe,
  page: ArrowDownToLine,
  cursor: Milestone,
  sweep: Wind,
  lifecycle: Flag,
  log: MessageSquareText,
};

/** The run's story in time order; each line says how long after the start it happened. */
export function RunEvents({ run }: { run: RunDetail }) {
  const start = new Date(run.startedAt ?? run.queuedAt).getTime();
  return (
    <Panel title="What happened" flush className="self-start">
      {run.events.length === 0 ? (
        <p className="p-4 text-sm text-ink-muted">
          {isActiveRun(run)
            ? "Nothing yet. Events appear here as they happen."
            : "No events: a push is one call, its numbers above tell it all."}
        </p>
      ) : (
        <ol className="text-sm">
          {inTimeOrder(run.events).map((event, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: events are only ever appended
            <EventLine key={index} event={event} start={start} />
          ))}
        </ol>
      )}
    </Panel>
  );
}

/** A page is stored while requests for the next are noted: the list is in the order of writing. */
function inTimeOrder(events: Event[]): Event[] {
  return [...events].sort((a, b) => Date.parse(a.at) - Date.parse(b.at));
}

function EventLine({ event, start }: { event: Event; start: number }) {
  const Icon =
    event.level === "error" ? CircleX : event.level === "warn" ? TriangleAlert : (ICONS[event.kind] ?? Flag);
  const after = Math.max(0, new Date(event.at).getTime() - start);
  const facts = describeFacts(event.data);
  const sample = typeof event.data.bodySample === "string" ? event.data.bodySample : null;
  return (
    <li className="flex gap-3 border-t border-line px-4 py-2 first:border-t-0">
      <time
        dateTime={event.at}
        title={event.at}
        className="w-16 shrink-0 text-right text-xs leading-5 whitespace-nowrap text-ink-muted tabular-nums"
      >
        +{formatDuration(after)}
      </time>
      <Icon
        aria-label={event.level === "info" ? event.kind : event.level}
        size={14}
        className={classNames(
          "mt-0.75 shrink-0",
          event.level === "error" ? "text-bad" : event.level === "warn" ? "text-warn" : "text-ink-faint",
        )}
      />
      <div className="min-w-0 flex-1">
        <p className="break-words">
          <Sentence>{event.message}</Sentence>
        </p>
        {facts && <p className="text-xs break-all text-ink-muted">{facts}</p>}
        {sample && (
          <Fold summary="What it answered">
            <RawText label="The upstream’s answer">{sample}</RawText>
          </Fold>
        )}
      </div>
    </li>
  );
}

/** What a request took and brought, as far as the event says. */
function describeFacts(data: Event["data"]): string {
  const parts = [
    typeof data.ms === "number" && formatDuration(data.ms),
    typeof data.bytes === "number" && formatBytes(data.bytes),
  ];
  return parts.filter(Boolean).join(" · ");
}
