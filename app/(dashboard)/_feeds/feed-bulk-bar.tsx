"use client";

import { type BarOfList, SyncedBulkBar } from "@/app/(dashboard)/_bulk/synced-bulk-bar";
import { useFeedBulk } from "@/app/(dashboard)/_bulk/use-bulk-acts";
import type { FeedFilters } from "@/server/feeds/schema";
import { useTRPCClient } from "@/trpc/client";

export function FeedBulkBar({ filters, ...list }: BarOfList & { filters: FeedFilters }) {
  const client = useTRPCClient();
  const start = useFeedBulk();
  const find = async () => {
    const { feeds, truncated } = await client.feeds.matching.query(filters);
    return { items: feeds, truncated };
  };
  return <SyncedBulkBar noun="feed" start={start} find={find} {...list} />;
}
