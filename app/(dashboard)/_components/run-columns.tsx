import { Explain } from "@/app/(dashboard)/_components/explain";
import { StatusBadge } from "@/app/(dashboard)/_components/status-badge";
import { changesInWords, EXECUTOR_WORDS, runMs, TRIGGER_WORDS } from "@/app/(dashboard)/_lib/run-words";
import type { Run } from "@/app/(dashboard)/_lib/types";
import { useNow } from "@/components/clock";
import { formatBytes, formatCount } from "@/components/numbers";
import { RelativeTime } from "@/components/relative-time";
import { plainSentence, Sentence } from "@/components/sentence";
import type { Column } from "@/components/table-column";
import { formatDuration } from "@/components/time-words";

/** On a feed's own page the feed is left out and the start is the row's name. */
export function runColumns(withFeed: boolean): Column<Run>[] {
  const started: Column<Run> = {
    id: "started",
    header: "Started",
    sortKey: "started",
    sortFirst: "desc",
    cell: (run) => <RelativeTime at={run.startedAt ?? run.queuedAt} />,
  };
  const feed: Column<Run> = { id: "feed", header: "Feed", cell: (run) => run.feedName ?? "Deleted feed" };
  return [
    withFeed ? feed : started,
    { id: "status", header: "Status", width: "120px", cell: (run) => <StatusBadge status={run.status} /> },
    {
      id: "changes",
      header: "Changes",
      sortKey: "changes",
      sortFirst: "desc",
      cell: (run) => (
        <span
          title={run.error ? plainSentence(run.error.message) : undefined}
          className={run.error ? undefined : "text-ink-muted"}
        >
          {run.error && run.created + run.updated + run.deleted === 0 ? (
            <Sentence>{run.error.message}</Sentence>
          ) : (
            changesInWords(run)
          )}
        </span>
      ),
    },
    {
      id: "source",
      header: "Source",
      width: "144px",
      from: "lg",
      isExtra: true,
      cell: (run) => run.sourceName,
    },
    {
      id: "trigger",
      header: <Explain term="trigger">Trigger</Explain>,
      label: "Trigger",
      width: "96px",
      from: "lg",
      cards: false,
      cell: (run) => TRIGGER_WORDS[run.trigger],
    },
    {
      id: "executor",
      header: <Explain term="executor">Executor</Explain>,
      label: "Executor",
      width: "88px",
      from: "lg",
      cards: false,
      cell: (run) => EXECUTOR_WORDS[run.executor],
    },
    {
      id: "pages",
      header: "Pages",
      width: "72px",
      align: "right",
      from: "lg",
      isExtra: true,
      cell: (run) => formatCount(run.pages),
    },
    {
      id: "bytes",
      header: "Read",
      width: "88px",
      align: "right",
      from: "lg",
      isExtra: true,
      cell: (run) => <span title={`${run.bytes} bytes`}>{formatBytes(Number(run.bytes))}</span>,
    },
    {
      id: "duration",
      header: "Took",
      sortKey: "length",
      sortFirst: "desc",
      width: "96px",
      align: "right",
      from: "md",
      cell: (run) => <Took run={run} />,
    },
    ...(withFeed ? [{ ...started, width: "128px", align: "right" as const }] : []),
  ];
}

function Took({ run }: { run: Run }) {
  const ms = runMs(run, useNow());
  return ms === null ? "–" : <span title={`${Math.round(ms)} ms`}>{formatDuration(ms)}</span>;
}
