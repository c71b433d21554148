"use client";

import { CircleCheck, CircleMinus, CircleX } from "lucide-react";
import { CallError } from "@/app/_shared/call-error";
import { type Item, itemName } from "@/app/(dashboard)/sources/import/outline-tree";
import { type Result, useImport } from "@/app/(dashboard)/sources/import/use-import";
import { Button, ButtonLink } from "@/components/button";
import { Link } from "@/components/link";
import { countOf, formatCount } from "@/components/numbers";
import { Panel } from "@/components/panel";
import { ProgressBar } from "@/components/progress-bar";
import { useFocusOnMount } from "@/components/use-focus-on-mount";

const OUTCOMES = {
  created: { word: "Connected", Icon: CircleCheck, tone: "text-ok" },
  duplicate: { word: "Duplicate", Icon: CircleMinus, tone: "text-ink-muted" },
  invalid: { word: "Cannot be read", Icon: CircleX, tone: "text-bad" },
  failed: { word: "Failed", Icon: CircleX, tone: "text-bad" },
} as const;

/** The import as it happens, and what became of each entry. */
export function ImportProgress({ items, onAgain }: { items: Item[]; onAgain(): void }) {
  const { results, isDone, error, resume } = useImport(items);
  const start = useFocusOnMount<HTMLParagraphElement>();
  const counts = { created: 0, duplicate: 0, invalid: 0, failed: 0 };
  for (const { outcome } of results) counts[outcome]++;
  const bad = counts.invalid + counts.failed;
  // What needs a look comes first, then the newest.
  const shown = [...results].reverse().sort((a, b) => Number(isBad(b)) - Number(isBad(a)));

  return (
    <div className="space-y-4">
      <Panel>
        <div className="space-y-3">
          <p ref={start} tabIndex={-1} role="status" className="text-base outline-none">
            {isDone
              ? `Imported ${countOf(counts.created, "feed")}.`
              : `${formatCount(results.length)} of ${countOf(items.length, "feed")} done.`}
            {counts.duplicate > 0 && ` ${countOf(counts.duplicate, "duplicate")} left out.`}
            {bad > 0 && ` ${countOf(bad, "entry", "entries")} could not be imported.`}
          </p>
          <ProgressBar label="Import" value={results.length} max={items.length} className="w-full" />
          <CallError error={error} what="The import stopped" onRetry={resume} />
          {isDone ? (
            <div className="flex flex-wrap gap-2">
              <ButtonLink href="/sources" variant="primary">
                See your sources
              </ButtonLink>
              <Button onClick={onAgain}>Import another file</Button>
            </div>
          ) : (
            <p className="text-xs text-ink-muted">Stay on this page until it is done.</p>
          )}
          {isDone && counts.created > 0 && (
            <p className="text-xs text-ink-muted">Their first syncs start by themselves within moments.</p>
          )}
        </div>
      </Panel>
      {shown.length > 0 && (
        <Panel title="What became of each" flush>
          <ul className="max-h-[50vh] overflow-y-auto">
            {shown.map((result) => (
              <ResultRow key={result.index} result={result} item={items[result.index]} />
            ))}
          </ul>
        </Panel>
      )}
    </div>
  );
}

function isBad({ outcome }: Result): boolean {
  return outcome === "invalid" || outcome === "failed";
}

function ResultRow({ result, item }: { result: Result; item: Item | undefined }) {
  const { word, Icon, tone } = OUTCOMES[result.outcome];
  const name = item ? itemName(item) : result.shownUrl;
  return (
    <li className="border-t border-line px-4 py-1.5 text-sm first:border-t-0">
      <div className="flex items-center gap-3">
        <span className="min-w-0 flex-1 truncate">
          {result.feedId ? <Link href={`/feeds/${result.feedId}`}>{name}</Link> : name}
        </span>
        <span className={`flex shrink-0 items-center gap-1.5 text-xs ${tone}`}>
          <Icon aria-hidden size={13} />
          {word}
        </span>
      </div>
      {result.reason && <p className="text-xs break-words text-ink-muted">{result.reason}</p>}
    </li>
  );
}
