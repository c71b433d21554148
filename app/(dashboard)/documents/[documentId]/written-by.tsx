import { ArrowRight } from "lucide-react";
import { StatusBadge } from "@/app/(dashboard)/_components/status-badge";
import { guessCursorInShort } from "@/app/(dashboard)/_lib/describe-cursor";
import { changesInWords, TRIGGER_WORDS } from "@/app/(dashboard)/_lib/run-words";
import type { DocumentDetail } from "@/app/(dashboard)/_lib/types";
import { Link } from "@/components/link";
import { Panel } from "@/components/panel";
import { RelativeTime } from "@/components/relative-time";

/** The run that wrote the document as it is, and what that run did to the cursor. */
export function WrittenBy({ document }: { document: DocumentDetail }) {
  const { lastRun, lastRunId, transitions } = document;
  return (
    <Panel title="Written by">
      {lastRun ? (
        <div className="space-y-2 text-sm">
          <p className="flex flex-wrap items-center gap-2">
            <StatusBadge status={lastRun.status} />
            <Link href={`/runs/${lastRun.id}`}>
              Run <RelativeTime at={lastRun.startedAt ?? lastRun.queuedAt} />
            </Link>
          </p>
          <p className="text-ink-muted">
            {TRIGGER_WORDS[lastRun.trigger]}, {changesInWords(lastRun)}
          </p>
          {transitions.length > 0 && (
            <ul className="space-y-1 border-t border-line pt-2 text-xs text-ink-muted">
              {transitions.map((transition) => (
                <li key={transition.id} className="flex flex-wrap items-center gap-x-1.5">
                  <span className="sr-only">Cursor moved from</span>
                  <Cursor value={transition.from} />
                  <ArrowRight aria-label="to" size={12} className="shrink-0" />
                  <span className="max-w-full min-w-0 text-ink">
                    <Cursor value={transition.to} />
                  </span>
                </li>
              ))}
            </ul>
          )}
        </div>
      ) : (
        <p className="text-sm text-ink-muted">
          {lastRunId
            ? "A sync run whose record is no longer kept."
            : "No run: a person’s decision, or a push before runs were recorded."}
        </p>
      )}
    </Panel>
  );
}

/** In words; as it is spelled on hover. */
function Cursor({ value }: { value: string | null }) {
  return (
    <span className="block max-w-full truncate" title={value ?? "none"}>
      {value === null ? "none" : guessCursorInShort(value)}
    </span>
  );
}
