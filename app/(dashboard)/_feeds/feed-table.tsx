"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useSelection } from "@/app/(dashboard)/_bulk/use-selection";
import { ListTable } from "@/app/(dashboard)/_components/list-table";
import { FeedBulkBar } from "@/app/(dashboard)/_feeds/feed-bulk-bar";
import { feedColumns } from "@/app/(dashboard)/_feeds/feed-columns";
import { FeedFilters, useFeedTable } from "@/app/(dashboard)/_feeds/feed-filters";
import { exportHref } from "@/app/(dashboard)/_lib/export-href";
import { CALM_MS, LIVE_MS } from "@/app/(dashboard)/_lib/polling";
import type { Feed } from "@/app/(dashboard)/_lib/types";
import { useViewer } from "@/app/(dashboard)/_lib/viewer";
import { useTRPC } from "@/trpc/client";
import { usePolling } from "@/trpc/use-live";

/** Feeds of one source or of the whole workspace, with everything that can be done to many. */
export function FeedTable({ sourceId, empty }: { sourceId?: string; empty: ReactNode }) {
  const trpc = useTRPC();
  const viewer = useViewer();
  const table = useFeedTable();
  const poll = usePolling();
  const scope = { ...(sourceId && { sourceId }), ...table.filterInput };
  const list = useQuery(
    trpc.feeds.list.queryOptions(
      { limit: 50, ...scope, ...table.input },
      {
        refetchInterval: ({ state }) =>
          poll(state.data?.items.some((feed) => feed.activeRunId) ? LIVE_MS : CALM_MS),
        placeholderData: keepPreviousData,
      },
    ),
  );
  const feeds = list.data?.items ?? [];
  const feedIds = feeds.map((feed) => feed.id);
  const history = useQuery(
    trpc.feeds.history.queryOptions(
      { feedIds },
      { enabled: feedIds.length > 0, placeholderData: keepPreviousData, staleTime: 60_000 },
    ),
  );
  const days = new Map(history.data?.map((entry) => [entry.feedId, entry.days]));
  const { selection, chosen, choose, clear } = useSelection(feeds, (feed: Feed) => ({
    id: feed.id,
    name: feed.displayName,
    documentCount: feed.documentCount,
  }));
  return (
    <>
      <ListTable
        name={sourceId ? "source-feeds" : "feeds"}
        caption="Feeds"
        what="The feeds"
        query={list}
        state={table}
        columns={feedColumns((feedId) => days.get(feedId), sourceId === undefined)}
        rowKey={(feed) => feed.id}
        rowLabel={(feed) => feed.displayName}
        rowHref={(feed) => `/feeds/${feed.id}`}
        selection={viewer.canWrite ? selection : undefined}
        filters={<FeedFilters table={table} withType={sourceId === undefined} />}
        csv={exportHref("feeds", { ...scope, ...table.input })}
        empty={empty}
        noMatch="No feed has this status, cause and name."
      />
      <FeedBulkBar
        chosen={chosen}
        filters={scope}
        hasMore={Boolean(list.data?.nextAfter || list.data?.prevBefore)}
        onChoose={choose}
        onClear={clear}
      />
    </>
  );
}
