import type { RunDetail } from "@/app/(dashboard)/_lib/types";
import { countOf, formatCount } from "@/components/numbers";
import { ProgressBar } from "@/components/progress-bar";
import { formatDuration } from "@/components/time-words";

/** How far a run is that goes on right now. */
export function RunProgress({ progress }: { progress: RunDetail["progress"] }) {
  const { pages, documents, documentsPerSecond, expectedDocuments, secondsLeft } = progress;
  const facts = [
    countOf(pages, "page"),
    expectedDocuments === null
      ? countOf(documents, "document")
      : `${formatCount(documents)} of about ${countOf(expectedDocuments, "document")}`,
    documentsPerSecond !== null && `${documentsPerSecond.toLocaleString("en")} a second`,
    secondsLeft !== null && `about ${formatDuration(secondsLeft * 1000)} left`,
  ].filter(Boolean);
  return (
    <section aria-label="Progress" className="rounded-lg border border-line bg-surface px-4 py-3">
      <ProgressBar
        label="Progress of this run"
        value={expectedDocuments ? Math.min(documents, expectedDocuments) : null}
        max={expectedDocuments ?? 1}
        className="w-full"
      />
      <p className="mt-2 text-sm text-ink-muted tabular-nums">{facts.join(" · ")}</p>
    </section>
  );
}
