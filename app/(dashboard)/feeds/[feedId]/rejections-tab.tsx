"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { toast } from "sonner";
import { CallError } from "@/app/_shared/call-error";
import { CALM_MS } from "@/app/(dashboard)/_lib/polling";
import type { Outputs } from "@/app/(dashboard)/_lib/types";
import { useRefresh } from "@/app/(dashboard)/_lib/use-refresh";
import { useViewer } from "@/app/(dashboard)/_lib/viewer";
import { Button } from "@/components/button";
import { EmptyState } from "@/components/empty-state";
import { Fold, RawText } from "@/components/fold";
import { countOf } from "@/components/numbers";
import { RelativeTime } from "@/components/relative-time";
import { TableSkeleton } from "@/components/skeleton";
import { useTRPC } from "@/trpc/client";

type Rejection = Outputs["feeds"]["rejections"]["items"][number];

/** Items that could not be stored: why, what was sent, and another try. */
export function RejectionsTab({ feedId }: { feedId: string }) {
  const trpc = useTRPC();
  const list = useQuery(
    trpc.feeds.rejections.queryOptions({ feedId, limit: 50 }, { refetchInterval: CALM_MS }),
  );
  if (list.isPending) return <TableSkeleton rows={4} columns={3} />;
  if (!list.data) {
    return (
      <CallError
        error={list.error}
        what="The rejected items could not be read"
        onRetry={() => void list.refetch()}
      />
    );
  }
  if (list.data.items.length === 0) {
    return (
      <EmptyState title="Nothing was rejected">
        An item that cannot be stored is refused alone, with its reason, and kept here for another try.
      </EmptyState>
    );
  }
  return (
    <ul className="rounded-lg border border-line bg-surface text-sm">
      {list.data.items.map((rejection) => (
        <RejectionItem key={rejection.id} feedId={feedId} rejection={rejection} />
      ))}
    </ul>
  );
}

function RejectionItem({ feedId, rejection }: { feedId: string; rejection: Rejection }) {
  const trpc = useTRPC();
  const refresh = useRefresh();
  const viewer = useViewer();
  const retry = useMutation(
    trpc.feeds.retryRejection.mutationOptions({
      async onSuccess(result) {
        if (result.documentsRejected.length > 0) toast("Still refused, for the reason it gives.");
        else toast("Stored.");
        await refresh();
      },
    }),
  );
  return (
    <li className="space-y-1.5 border-t border-line px-4 py-3 first:border-t-0">
      <div className="flex flex-wrap items-start justify-between gap-3">
        <div className="min-w-0 flex-1">
          <p className="font-medium break-all">{rejection.externalId ?? "Without an id"}</p>
          <p>
            {rejection.message} <code className="text-xs text-ink-muted">{rejection.code}</code>
          </p>
          <p className="text-xs text-ink-muted">
            <RelativeTime at={rejection.lastAt} />
            {rejection.occurrences > 1 && `, ${countOf(rejection.occurrences, "time")} since first seen`}
            {rejection.runId && (
              <>
                {" · "}
                <Link href={`/runs/${rejection.runId}`}>run</Link>
              </>
            )}
          </p>
        </div>
        {viewer.canWrite && (
          <Button
            size="sm"
            pendingLabel={retry.isPending && "Trying"}
            onClick={() => retry.mutate({ feedId, rejectionId: rejection.id })}
          >
            Try again
          </Button>
        )}
      </div>
      <Fold summary="What was sent">
        <RawText label="The item as it was sent">{JSON.stringify(rejection.payload, null, 2)}</RawText>
      </Fold>
      <CallError error={retry.error} />
    </li>
  );
}
