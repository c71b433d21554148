import type { RunDetail } from "@/app/(dashboard)/_lib/types";
import { countOf, formatCount } from "@/components/numbers";
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
      <progress
        aria-label="Progress of this run"
        className="block h-1.5 w-full accent-(--accent)"
        // Without a value the bar says only that it goes on, which is what is known then.
        {...(expectedDocuments
          ? { value: Math.min(documents, expectedDocuments), max: expectedDocuments }
          : {})}
      />
      <p className="mt-2 text-sm text-ink-muted tabular-nums">{facts.join(" · ")}</p>
    </section>
  );
}
