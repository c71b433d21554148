"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { ArrowRight, History } from "lucide-react";
import { parseAsString, useQueryState } from "nuqs";
import { CallError } from "@/app/_shared/call-error";
import { Explain } from "@/app/(dashboard)/_components/explain";
import { cursorInShort } from "@/app/(dashboard)/_lib/describe-cursor";
import { CALM_MS } from "@/app/(dashboard)/_lib/polling";
import { actorInWords } from "@/app/(dashboard)/_lib/run-words";
import type { Feed, Outputs } from "@/app/(dashboard)/_lib/types";
import { useViewer } from "@/app/(dashboard)/_lib/viewer";
import { useFeedDialog } from "@/app/(dashboard)/feeds/[feedId]/use-feed-dialog";
import { Button } from "@/components/button";
import { EmptyState } from "@/components/empty-state";
import { Link } from "@/components/link";
import { Pager } from "@/components/pager";
import { RelativeTime } from "@/components/relative-time";
import { TableSkeleton } from "@/components/skeleton";
import { useTRPC } from "@/trpc/client";
import { usePolling } from "@/trpc/use-live";

type Transition = Outputs["feeds"]["transitions"]["items"][number];

const OUTCOME_WORDS: Record<Transition["outcome"], string> = {
  advanced: "Advanced",
  unchanged: "Stayed",
  kept: "Kept: the newcomer was behind",
  reset: "Reset by a person",
  restart: "Restarted: the upstream forgot the position",
  resync: "Resynced with a fresh token",
};

/** Every move of the cursor, newest first. */
export function CursorTab({ feed }: { feed: Feed }) {
  const trpc = useTRPC();
  const viewer = useViewer();
  const poll = usePolling();
  const [after, setAfter] = useQueryState("after", parseAsString.withOptions({ history: "push" }));
  const [, openDialog] = useFeedDialog();
  const canRewind = viewer.canWrite && feed.status !== "deleting" && feed.watermark !== "none";
  const list = useQuery(
    trpc.feeds.transitions.queryOptions(
      { feedId: feed.id, limit: 50, ...(after && { after }) },
      { refetchInterval: () => poll(CALM_MS), placeholderData: keepPreviousData },
    ),
  );
  if (list.isPending) return <TableSkeleton rows={5} columns={3} />;
  if (!list.data) {
    return (
      <CallError
        error={list.error}
        what="The cursor’s history could not be read"
        onRetry={() => void list.refetch()}
      />
    );
  }
  if (list.data.items.length === 0) {
    return (
      <EmptyState title="The cursor has not moved yet">
        Every move, every conflict and every reset is kept here, with who did it and why.
      </EmptyState>
    );
  }
  return (
    <>
      <ol className="rounded-lg border border-line bg-surface text-sm">
        {list.data.items.map((transition) => (
          <li key={transition.id} className="border-t border-line px-4 py-2.5 first:border-t-0">
            <p className="flex flex-wrap items-baseline justify-between gap-x-4">
              <span className="font-medium">
                {OUTCOME_WORDS[transition.outcome]}
                {transition.conflict && (
                  <span className="ml-2 text-warn">
                    <Explain term="conflict">conflict</Explain>
                  </span>
                )}
              </span>
              <RelativeTime at={transition.at} className="text-ink-muted" />
            </p>
            <p className="mt-0.5 flex flex-wrap items-center gap-x-2 text-ink-muted">
              <span className="max-w-full truncate" title={transition.from ?? "none"}>
                {cursorInShort(feed.watermark, transition.from)}
              </span>
              <ArrowRight aria-label="to" size={13} className="shrink-0" />
              <span className="max-w-full truncate text-ink" title={transition.to ?? "none"}>
                {cursorInShort(feed.watermark, transition.to)}
              </span>
            </p>
            <p className="mt-0.5 text-xs text-ink-muted">
              by {actorInWords(transition.actor)}
              {transition.reason && <>: “{transition.reason}”</>}
              {transition.runId && (
                <>
                  {" · "}
                  <Link href={`/runs/${transition.runId}`}>run</Link>
                </>
              )}
            </p>
            {canRewind && transition.runId && transition.outcome === "advanced" && (
              <Button
                size="sm"
                variant="ghost"
                className="mt-1 -ml-2"
                icon={<History aria-hidden size={13} />}
                onClick={() => openDialog("reset", `run:${transition.runId}`)}
              >
                Rewind to before this run…
              </Button>
            )}
          </li>
        ))}
      </ol>
      <Pager
        place={{ after, before: null }}
        nextAfter={list.data.nextAfter}
        prevBefore={null}
        onChange={(place) => void setAfter(place.after)}
      />
    </>
  );
}
