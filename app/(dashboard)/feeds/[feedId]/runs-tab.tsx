"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { CallError } from "@/app/_shared/call-error";
import { RunTable } from "@/app/(dashboard)/_components/run-table";
import { CALM_MS, LIVE_MS } from "@/app/(dashboard)/_lib/polling";
import { EmptyState } from "@/components/empty-state";
import { TableSkeleton } from "@/components/skeleton";
import { useTRPC } from "@/trpc/client";

export function RunsTab({ feedId, isSyncing }: { feedId: string; isSyncing: boolean }) {
  const trpc = useTRPC();
  const list = useQuery(
    trpc.runs.list.queryOptions(
      { feedId, limit: 25 },
      { refetchInterval: isSyncing ? LIVE_MS : CALM_MS, placeholderData: keepPreviousData },
    ),
  );
  if (list.isPending) return <TableSkeleton rows={6} columns={5} />;
  if (!list.data) {
    return (
      <CallError error={list.error} what="The runs could not be read" onRetry={() => void list.refetch()} />
    );
  }
  if (list.data.items.length === 0) {
    return (
      <EmptyState title="Nothing ran yet">
        Each attempt to bring this feed up to date is kept here.
      </EmptyState>
    );
  }
  return (
    <>
      <RunTable runs={list.data.items} />
      {list.data.nextAfter && (
        <p className="mt-3 text-right text-sm">
          <Link href={`/runs?feed=${feedId}`}>All runs of this feed</Link>
        </p>
      )}
    </>
  );
}
