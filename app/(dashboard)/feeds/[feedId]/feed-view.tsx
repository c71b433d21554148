"use client";

import { useQuery } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { parseAsStringLiteral, useQueryState } from "nuqs";
import { CallError } from "@/app/_shared/call-error";
import { StaleMark } from "@/app/(dashboard)/_components/stale-mark";
import { feedBadge, StatusBadge } from "@/app/(dashboard)/_components/status-badge";
import { CALM_MS, LIVE_MS } from "@/app/(dashboard)/_lib/polling";
import { useOnlyTab } from "@/app/(dashboard)/_lib/use-only-tab";
import { DocumentsTab } from "@/app/(dashboard)/feeds/[feedId]/documents-tab";
import { FeedActions } from "@/app/(dashboard)/feeds/[feedId]/feed-actions";
import { FeedHealth } from "@/app/(dashboard)/feeds/[feedId]/feed-health";
import { FeedNotices } from "@/app/(dashboard)/feeds/[feedId]/feed-notices";
import { PositionPanel } from "@/app/(dashboard)/feeds/[feedId]/position-panel";
import { PageHeader } from "@/components/page-header";
import { ShortId } from "@/components/short-id";
import { PanelSkeleton } from "@/components/skeleton";
import { Tabs } from "@/components/tabs";
import { useTRPC } from "@/trpc/client";
import { usePolling } from "@/trpc/use-live";

// The documents are what most come for; the other tabs are fetched when they are opened.
const RunsTab = dynamic(() =>
  import("@/app/(dashboard)/feeds/[feedId]/runs-tab").then((module) => module.RunsTab),
);
const CursorTab = dynamic(() =>
  import("@/app/(dashboard)/feeds/[feedId]/cursor-tab").then((module) => module.CursorTab),
);
const RejectionTable = dynamic(() =>
  import("@/app/(dashboard)/_rejections/rejection-table").then((module) => module.RejectionTable),
);
const HeldDeletes = dynamic(() =>
  import("@/app/(dashboard)/feeds/[feedId]/held-deletes").then((module) => module.HeldDeletes),
);

const TABS = ["documents", "runs", "cursor", "rejected"] as const;

/** Where the cursor stands, what the next sync will ask for, what the last one did. */
export function FeedView({ feedId }: { feedId: string }) {
  const trpc = useTRPC();
  const [tab] = useQueryState("tab", parseAsStringLiteral(TABS).withDefault("documents"));
  const openTab = useOnlyTab("tab");
  const poll = usePolling();
  const query = useQuery(
    trpc.feeds.get.queryOptions(
      { feedId },
      {
        // A feed that is due shows its run within a second of its start.
        refetchInterval: ({ state }) => poll(state.data && isLive(state.data) ? LIVE_MS : CALM_MS),
      },
    ),
  );
  const feed = query.data;
  if (!feed) {
    return query.isError ? (
      <CallError error={query.error} what="The feed could not be read" onRetry={() => void query.refetch()} />
    ) : (
      <PanelSkeleton />
    );
  }
  const isSyncing = feed.activeRunId !== null;

  return (
    <>
      <PageHeader
        title={feed.displayName}
        crumbs={[
          { label: "Sources", href: "/sources" },
          { label: feed.sourceName, href: `/sources/${feed.sourceId}` },
        ]}
        meta={
          <>
            <StatusBadge status={feedBadge(feed)} />
            <ShortId id={feed.id} label="feed id" />
            <span className="min-w-0 truncate font-mono text-xs" title={feed.externalKey}>
              {feed.externalKey}
            </span>
          </>
        }
        actions={<FeedActions feed={feed} />}
      />
      <StaleMark query={query} />
      <div className="space-y-4">
        <FeedNotices feed={feed} />
        {feed.heldDeletes > 0 && <HeldDeletes feedId={feed.id} />}
        <PositionPanel feed={feed} />
        <FeedHealth feedId={feed.id} />
        <Tabs
          label="Of this feed"
          value={tab}
          onChange={(next) => openTab(next === "documents" ? null : next)}
          tabs={[
            {
              value: "documents",
              label: "Documents",
              content: () => (
                <DocumentsTab feedId={feed.id} isSyncing={isSyncing} sourceType={feed.sourceType} />
              ),
            },
            {
              value: "runs",
              label: "Runs",
              content: () => <RunsTab feedId={feed.id} isSyncing={isSyncing} />,
            },
            { value: "cursor", label: "Cursor history", content: () => <CursorTab feed={feed} /> },
            {
              value: "rejected",
              label: "Rejected",
              count: feed.rejections,
              content: () => <RejectionTable feedId={feed.id} />,
            },
          ]}
        />
      </div>
    </>
  );
}

function isLive(feed: { activeRunId: string | null; nextSyncAt: string | null }): boolean {
  if (feed.activeRunId) return true;
  return feed.nextSyncAt !== null && new Date(feed.nextSyncAt).getTime() <= Date.now() + 2000;
}
