"use client";

import { type BarOfList, SyncedBulkBar } from "@/app/(dashboard)/_bulk/synced-bulk-bar";
import { useSourceBulk } from "@/app/(dashboard)/_bulk/use-bulk-acts";
import { type useTRPC, useTRPCClient } from "@/trpc/client";

type Filters = Parameters<ReturnType<typeof useTRPC>["sources"]["matching"]["queryOptions"]>[0];

export function SourceBulkBar({ filters, ...list }: BarOfList & { filters: Exclude<Filters, symbol> }) {
  const client = useTRPCClient();
  const start = useSourceBulk();
  const find = async () => {
    const { sources, truncated } = await client.sources.matching.query(filters);
    return { items: sources, truncated };
  };
  return <SyncedBulkBar noun="source" start={start} find={find} {...list} />;
}
