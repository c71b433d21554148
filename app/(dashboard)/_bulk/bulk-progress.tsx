import { Undo2, X } from "lucide-react";
import type { BulkJob } from "@/app/(dashboard)/_bulk/bulk-job";
import { Button, IconButton } from "@/components/button";
import { Fold } from "@/components/fold";
import { countOf } from "@/components/numbers";
import { ProgressBar } from "@/components/progress-bar";
import { Sentence } from "@/components/sentence";

/** Acts under way and just ended: how far, what failed and why, and the way back. */
export function BulkProgress({
  jobs,
  onStop,
  onUndo,
  onDismiss,
}: {
  jobs: BulkJob[];
  onStop(id: number): void;
  onUndo(job: BulkJob): void;
  onDismiss(id: number): void;
}) {
  return (
    <section
      aria-label="Acts in the background"
      className="fixed right-4 bottom-20 z-30 w-80 max-w-[calc(100vw-32px)] space-y-2 empty:hidden max-md:bottom-32"
    >
      {jobs.map((job) => (
        <div
          key={job.id}
          className="animate-appear rounded-md border border-line-strong bg-raised p-3 text-sm shadow-menu"
        >
          <div className="flex items-start justify-between gap-2">
            <p role="status" className="min-w-0 font-medium break-words">
              {inWords(job)}
            </p>
            {job.state === "ended" && (
              <IconButton label="Dismiss" className="-mt-1 -mr-1" onClick={() => onDismiss(job.id)}>
                <X aria-hidden size={14} />
              </IconButton>
            )}
          </div>
          {job.state !== "ended" && (
            <div className="mt-2 flex items-center gap-2">
              <ProgressBar
                label={`${job.act.doing} ${countOf(job.act.items.length, job.act.noun)}`}
                value={job.tried}
                max={job.act.items.length}
                className="min-w-0 flex-1"
              />
              <span className="text-xs text-ink-muted tabular-nums">
                {job.tried} of {job.act.items.length}
              </span>
              <Button
                size="sm"
                variant="ghost"
                disabled={job.state === "stopping"}
                onClick={() => onStop(job.id)}
              >
                Stop
              </Button>
            </div>
          )}
          {job.stoppedBy && (
            <p className="mt-1 text-ink-muted">
              <Sentence>{job.stoppedBy}</Sentence>
            </p>
          )}
          {job.failures.length > 0 && (
            <div className="mt-1">
              <Fold summary={<span className="text-bad">{countOf(job.failures.length, "failure")}</span>}>
                <ul className="max-h-40 list-disc space-y-1 overflow-y-auto pl-4">
                  {job.failures.map((failure) => (
                    <li key={failure.id} className="break-words">
                      {failure.name}: <Sentence>{failure.message}</Sentence>
                    </li>
                  ))}
                </ul>
              </Fold>
            </div>
          )}
          {job.state === "ended" && job.act.undo && job.changed.length > 0 && (
            <Button
              size="sm"
              className="mt-2"
              icon={<Undo2 aria-hidden size={13} />}
              onClick={() => onUndo(job)}
            >
              Undo
            </Button>
          )}
        </div>
      ))}
    </section>
  );
}

function inWords({ act, state, tried, failures }: BulkJob): string {
  if (state !== "ended") return `${act.doing} ${countOf(act.items.length, act.noun)}`;
  return `${act.done} ${countOf(tried - failures.length, act.noun)}`;
}
