"use client";

import { useQuery } from "@tanstack/react-query";
import { CallError } from "@/app/_shared/call-error";
import { StatusBadge } from "@/app/(dashboard)/_components/status-badge";
import { LIVE_MS } from "@/app/(dashboard)/_lib/polling";
import { changesInWords } from "@/app/(dashboard)/_lib/run-words";
import type { Feed, Run } from "@/app/(dashboard)/_lib/types";
import { FirstDocuments } from "@/app/(dashboard)/sources/new/first-documents";
import { Steps } from "@/app/(dashboard)/sources/new/steps";
import {
  documentsOf,
  firstPerFeed,
  type SyncProgress,
  sumProgress,
} from "@/app/(dashboard)/sources/new/sync-progress";
import { ButtonLink } from "@/components/button";
import { useNow } from "@/components/clock";
import { Link } from "@/components/link";
import { countOf, formatCount, roundCount } from "@/components/numbers";
import { Panel, Stat, StatRow } from "@/components/panel";
import { Sentence } from "@/components/sentence";
import { PanelSkeleton } from "@/components/skeleton";
import { formatDuration } from "@/components/time-words";
import { useFocusOnMount } from "@/components/use-focus-on-mount";
import { useTRPC } from "@/trpc/client";

/** As many as the lists give at once; a bigger source's own page shows the rest. */
const SHOWN = 200;

/** Step three: the first sync of a new source as it happens. */
export function FirstSync({ sourceId }: { sourceId: string }) {
  const trpc = useTRPC();
  const ticking = useNow();
  const feeds = useQuery(trpc.feeds.list.queryOptions({ sourceId, limit: SHOWN }));
  const total = feeds.data?.items.length ?? 0;
  const runs = useQuery(
    trpc.runs.list.queryOptions(
      { sourceId, limit: SHOWN },
      {
        refetchInterval: ({ state }) =>
          state.data && total > 0 && isOver(total, state.data.items) ? false : LIVE_MS,
      },
    ),
  );
  if (feeds.isError) return <CallError error={feeds.error} onRetry={() => void feeds.refetch()} />;
  if (!feeds.data || !runs.data) return <PanelSkeleton lines={6} />;

  const first = firstPerFeed(runs.data.items);
  // The answer's own time is finer than the page's clock, which ticks every ten seconds.
  const progress = sumProgress(total, [...first.values()], Math.max(ticking, runs.dataUpdatedAt));
  const [only, second] = feeds.data.items;
  const isDone = progress.done >= total;
  const goOn =
    only && !second
      ? { href: `/feeds/${only.id}`, label: "Open the feed" }
      : { href: `/sources/${sourceId}`, label: "Open the source" };
  return (
    <>
      <Steps current={3} />
      <div className="space-y-4">
        <Summary progress={progress} />
        <Numbers progress={progress} />
        <Panel title="Feeds" flush>
          <ul>
            {feeds.data.items.map((feed) => (
              <FeedRow key={feed.id} feed={feed} run={first.get(feed.id)} />
            ))}
          </ul>
        </Panel>
        <FirstDocuments feeds={feeds.data.items} runs={first} />
        <div className="flex flex-wrap gap-2">
          <ButtonLink href={goOn.href} variant={isDone ? "primary" : "secondary"}>
            {goOn.label}
          </ButtonLink>
          <ButtonLink href="/sources/new">Add another source</ButtonLink>
        </div>
        {!isDone && (
          <p className="text-xs text-ink-muted">You need not stay: it goes on without this page.</p>
        )}
      </div>
    </>
  );
}

/** Takes the focus that was on the button which led here. */
function Summary({ progress }: { progress: SyncProgress }) {
  const start = useFocusOnMount<HTMLParagraphElement>();
  return (
    <p ref={start} tabIndex={-1} role="status" className="text-base outline-none">
      {inWords(progress)}
    </p>
  );
}

function isOver(feeds: number, runs: readonly Run[]): boolean {
  return [...firstPerFeed(runs).values()].filter((run) => run.finishedAt !== null).length >= feeds;
}

function inWords({ feeds, done, failed, documents }: SyncProgress): string {
  if (done < feeds) {
    const where = feeds === 1 ? "" : ` ${formatCount(done)} of ${formatCount(feeds)} feeds are done.`;
    return `The first sync is under way: ${countOf(documents, "document")} so far.${where}`;
  }
  if (failed === feeds)
    return feeds === 1 ? "The first sync failed." : "The first sync of every feed failed.";
  const but = failed > 0 ? ` ${countOf(failed, "feed")} failed.` : "";
  return `The first sync is done: ${countOf(documents, "document")}.${but}`;
}

function Numbers({ progress }: { progress: SyncProgress }) {
  const { documentsPerSecond: rate, msLeft, ms, done, feeds } = progress;
  return (
    <StatRow label="Numbers of the first sync">
      <Stat label="Pages" value={roundCount(progress.pages)} />
      <Stat
        label="Documents"
        value={roundCount(progress.documents)}
        title={formatCount(progress.documents)}
      />
      <Stat
        label="Rate"
        value={rate === null ? "–" : `${rate >= 10 ? roundCount(Math.round(rate)) : rate.toFixed(1)}/s`}
        title="Documents a second"
      />
      <Stat
        label={done < feeds ? "So far" : "Took"}
        value={formatDuration(ms)}
        title={`${Math.round(ms)} ms`}
      />
      {done < feeds && (
        <Stat
          label="Time left"
          value={msLeft === null ? "Not known" : timeLeftInWords(msLeft)}
          title={
            msLeft === null
              ? "Upstreams do not say how much there is"
              : "At the pace of the feeds that are done"
          }
        />
      )}
    </StatRow>
  );
}

/** A guess: to the second is more than it knows. */
function timeLeftInWords(ms: number): string {
  return ms < 10_000 ? "Seconds" : `About ${formatDuration(Math.round(ms / 5_000) * 5_000)}`;
}

function FeedRow({ feed, run }: { feed: Feed; run: Run | undefined }) {
  return (
    <li className="border-t border-line px-4 py-2 text-sm first:border-t-0">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Link href={`/feeds/${feed.id}`} className="min-w-0 flex-1 truncate font-medium">
          {run?.feedName ?? feed.displayName}
        </Link>
        {run ? <StatusBadge status={run.status} /> : <StatusBadge status="queued" />}
      </div>
      {run && (
        <p className="text-ink-muted">
          {countOf(run.pages, "page")}, {countOf(documentsOf(run), "document")}: {changesInWords(run)}
          {run.finishedAt && (
            <>
              {" · "}
              <Link href={`/runs/${run.id}`}>what happened</Link>
            </>
          )}
        </p>
      )}
      {run?.error && (
        <p className="text-bad">
          <Sentence>{run.error.message}</Sentence>
        </p>
      )}
    </li>
  );
}
