"use client";

import { Explain } from "@/app/(dashboard)/_components/explain";
import { StatusBadge } from "@/app/(dashboard)/_components/status-badge";
import { changesInWords, EXECUTOR_WORDS, runMs, TRIGGER_WORDS } from "@/app/(dashboard)/_lib/run-words";
import type { Run } from "@/app/(dashboard)/_lib/types";
import { useNow } from "@/components/clock";
import { DataTable } from "@/components/data-table";
import { RelativeTime } from "@/components/relative-time";
import type { Column } from "@/components/table-column";
import { formatDuration } from "@/components/time-words";

/** Runs, newest first. On a feed's own page the feed is left out. */
export function RunTable({ runs, withFeed }: { runs: Run[]; withFeed?: boolean }) {
  const columns: Column<Run>[] = [
    withFeed
      ? { id: "feed", header: "Feed", cell: (run) => run.feedName ?? "Deleted feed" }
      : {
          id: "started",
          header: "Started",
          cell: (run) => <RelativeTime at={run.startedAt ?? run.queuedAt} />,
        },
    { id: "status", header: "Status", width: "120px", cell: (run) => <StatusBadge status={run.status} /> },
    {
      id: "changes",
      header: "Changes",
      cell: (run) => (
        <span title={run.error?.message} className={run.error ? undefined : "text-ink-muted"}>
          {run.error && run.created + run.updated + run.deleted === 0
            ? run.error.message
            : changesInWords(run)}
        </span>
      ),
    },
    {
      id: "trigger",
      header: <Explain term="trigger">Trigger</Explain>,
      width: "96px",
      from: "lg",
      cards: false,
      cell: (run) => TRIGGER_WORDS[run.trigger],
    },
    {
      id: "executor",
      header: <Explain term="executor">Executor</Explain>,
      width: "88px",
      from: "lg",
      cards: false,
      cell: (run) => EXECUTOR_WORDS[run.executor],
    },
    {
      id: "duration",
      header: "Took",
      width: "88px",
      align: "right",
      from: "md",
      cell: (run) => <Took run={run} />,
    },
  ];
  if (withFeed) {
    columns.push({
      id: "started",
      header: "Started",
      width: "128px",
      align: "right",
      cell: (run) => <RelativeTime at={run.startedAt ?? run.queuedAt} />,
    });
  }
  return (
    <DataTable
      caption="Sync runs"
      columns={columns}
      rows={runs}
      rowKey={(run) => run.id}
      rowLabel={(run) => `run ${run.id}`}
      rowHref={(run) => `/runs/${run.id}`}
    />
  );
}

function Took({ run }: { run: Run }) {
  const ms = runMs(run, useNow());
  return ms === null ? "–" : <span title={`${Math.round(ms)} ms`}>{formatDuration(ms)}</span>;
}
