"use client";

import { useQuery } from "@tanstack/react-query";
import { History } from "lucide-react";
import { CallError } from "@/app/_shared/call-error";
import { Explain } from "@/app/(dashboard)/_components/explain";
import { StaleMark } from "@/app/(dashboard)/_components/stale-mark";
import { StatusBadge } from "@/app/(dashboard)/_components/status-badge";
import { guessCursorInShort } from "@/app/(dashboard)/_lib/describe-cursor";
import { LIVE_MS } from "@/app/(dashboard)/_lib/polling";
import {
  actorInWords,
  EXECUTOR_WORDS,
  isActiveRun,
  runInWords,
  runMs,
  TRIGGER_WORDS,
} from "@/app/(dashboard)/_lib/run-words";
import type { RunDetail } from "@/app/(dashboard)/_lib/types";
import { useViewer } from "@/app/(dashboard)/_lib/viewer";
import { RunEvents } from "@/app/(dashboard)/runs/[runId]/run-events";
import { RunNotices } from "@/app/(dashboard)/runs/[runId]/run-notices";
import { RunProgress } from "@/app/(dashboard)/runs/[runId]/run-progress";
import { ButtonLink } from "@/components/button";
import { classNames } from "@/components/class-names";
import { useNow } from "@/components/clock";
import { CopyButton } from "@/components/copy-button";
import { Link } from "@/components/link";
import { formatBytes, formatCount, roundCount } from "@/components/numbers";
import { PageHeader } from "@/components/page-header";
import { Panel, Stat, StatRow } from "@/components/panel";
import { ExactTime, RelativeTime } from "@/components/relative-time";
import { ShortId } from "@/components/short-id";
import { PanelSkeleton } from "@/components/skeleton";
import { formatDuration } from "@/components/time-words";
import { useTRPC } from "@/trpc/client";
import { usePolling } from "@/trpc/use-live";

/** A run: the cause of a failure first, the numbers that matter, then the story in time order. */
export function RunView({ runId }: { runId: string }) {
  const trpc = useTRPC();
  const viewer = useViewer();
  const poll = usePolling();
  const query = useQuery(
    trpc.runs.get.queryOptions(
      { runId },
      {
        refetchInterval: ({ state }) => (state.data && isActiveRun(state.data) ? poll(LIVE_MS) : false),
      },
    ),
  );
  const run = query.data;
  if (!run) {
    return query.isError ? (
      <CallError error={query.error} what="The run could not be read" onRetry={() => void query.refetch()} />
    ) : (
      <PanelSkeleton />
    );
  }
  return (
    <>
      <PageHeader
        title={`Run of ${run.feedName ?? "a deleted feed"}`}
        crumbs={[
          { label: "Runs", href: "/runs" },
          ...(run.feedName ? [{ label: run.feedName, href: `/feeds/${run.feedId}` }] : []),
        ]}
        meta={
          <>
            <StatusBadge status={run.status} />
            <ShortId id={run.id} label="run id" />
            <span>
              <RelativeTime at={run.startedAt ?? run.queuedAt} />, started by {actorInWords(run.actor)}
            </span>
          </>
        }
        actions={
          viewer.canWrite &&
          run.feedName &&
          run.finishedAt &&
          run.cursorAfter !== run.cursorBefore && (
            <ButtonLink
              href={`/feeds/${run.feedId}?tab=cursor&open=reset&to=${encodeURIComponent(`run:${run.id}`)}`}
              icon={<History aria-hidden size={14} />}
            >
              Rewind to before this run…
            </ButtonLink>
          )
        }
      />
      <StaleMark query={query} />
      <div className="space-y-4">
        <RunNotices run={run} />
        <p className="text-base">{runInWords(run)}</p>
        {run.status === "running" && <RunProgress progress={run.progress} />}
        <RunNumbers run={run} />
        <div className="grid gap-4 lg:grid-cols-[minmax(0,1fr)_300px]">
          <RunEvents run={run} />
          <RunFacts run={run} />
        </div>
      </div>
    </>
  );
}

function RunNumbers({ run }: { run: RunDetail }) {
  const ms = runMs(run, useNow());
  const bytes = Number(run.bytes);
  return (
    <StatRow label="Numbers of this run">
      <Stat label="New" value={roundCount(run.created)} title={formatCount(run.created)} />
      <Stat label="Updated" value={roundCount(run.updated)} title={formatCount(run.updated)} />
      <Stat label="Unchanged" value={roundCount(run.skipped)} title={formatCount(run.skipped)} />
      <Stat label="Deleted" value={roundCount(run.deleted)} title={formatCount(run.deleted)} />
      <Stat label="Rejected" value={roundCount(run.rejected)} tone={run.rejected > 0 ? "warn" : undefined} />
      <Stat
        label="Took"
        value={ms === null ? "–" : formatDuration(ms)}
        title={ms === null ? undefined : `${Math.round(ms)} ms`}
      />
      <Stat
        label="Read"
        value={formatBytes(bytes)}
        title={`${formatCount(bytes)} bytes, ${run.requests} requests`}
      />
    </StatRow>
  );
}

function RunFacts({ run }: { run: RunDetail }) {
  return (
    <Panel title="Record" className="self-start">
      <dl className="space-y-2.5 text-sm">
        <Item term={<Explain term="trigger">Trigger</Explain>}>{TRIGGER_WORDS[run.trigger]}</Item>
        <Item term={<Explain term="executor">Executor</Explain>}>{EXECUTOR_WORDS[run.executor]}</Item>
        {run.feedName && (
          <Item term="Feed">
            <Link href={`/feeds/${run.feedId}`}>{run.feedName}</Link>
          </Item>
        )}
        {run.sourceName && (
          <Item term="Source">
            <Link href={`/sources/${run.sourceId}`}>{run.sourceName}</Link>
          </Item>
        )}
        <Item term="Started">{run.startedAt ? <ExactTime at={run.startedAt} /> : "Not yet"}</Item>
        <Item term="Ended">{run.finishedAt ? <ExactTime at={run.finishedAt} /> : "Not yet"}</Item>
        <Item term="Cursor before">
          <Cursor value={run.cursorBefore} />
        </Item>
        <Item term="Cursor after">
          <Cursor value={run.cursorAfter} />
        </Item>
        {run.progress.documentsPerSecond !== null && (
          <Item term="Rate">{run.progress.documentsPerSecond.toLocaleString("en")} documents a second</Item>
        )}
        <Item term="Pages">
          <span className="tabular-nums">{formatCount(run.pages)}</span>
        </Item>
        {run.durations.fetchMs !== undefined && (
          <Item term="Fetching">{formatDuration(run.durations.fetchMs)}</Item>
        )}
        {run.durations.commitMs !== undefined && (
          <Item term="Storing">{formatDuration(run.durations.commitMs)}</Item>
        )}
        {run.listing && <Item term="Listing">From the beginning</Item>}
        {run.requestId && (
          <Item term="Request id">
            <span className="flex items-start gap-1">
              <code className="text-xs break-all">{run.requestId}</code>
              <CopyButton text={run.requestId} label="Copy the request id" />
            </span>
          </Item>
        )}
      </dl>
    </Panel>
  );
}

function Cursor({ value }: { value: string | null }) {
  if (value === null) return <span className="text-ink-muted">none</span>;
  const words = guessCursorInShort(value);
  return (
    <>
      {words !== value && <span className="block">{words}</span>}
      <code
        className={classNames("line-clamp-3 text-xs break-all", words !== value && "text-ink-muted")}
        title={value}
      >
        {value}
      </code>
    </>
  );
}

function Item({ term, children }: { term: React.ReactNode; children: React.ReactNode }) {
  return (
    <div className="flex gap-3">
      <dt className="w-28 shrink-0 text-ink-muted">{term}</dt>
      <dd className="min-w-0 flex-1 break-words">{children}</dd>
    </div>
  );
}
