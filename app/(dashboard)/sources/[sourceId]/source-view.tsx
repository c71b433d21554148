"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Ellipsis, Pause, Pencil, Play, Plus, RefreshCw, Trash2 } from "lucide-react";
import { useRouter } from "next/navigation";
import { parseAsString, useQueryState } from "nuqs";
import { useState } from "react";
import { toast } from "sonner";
import { CallError } from "@/app/_shared/call-error";
import { DeleteSourceDialog } from "@/app/(dashboard)/_components/delete-source-dialog";
import { Explain } from "@/app/(dashboard)/_components/explain";
import { StaleMark } from "@/app/(dashboard)/_components/stale-mark";
import { StatusBadge } from "@/app/(dashboard)/_components/status-badge";
import { CALM_MS, LIVE_MS } from "@/app/(dashboard)/_lib/polling";
import { useSort } from "@/app/(dashboard)/_lib/use-sort";
import { useSourceActions } from "@/app/(dashboard)/_lib/use-source-actions";
import { useViewer } from "@/app/(dashboard)/_lib/viewer";
import { AddFeedDialog } from "@/app/(dashboard)/sources/[sourceId]/add-feed-dialog";
import { EditSourceDialog } from "@/app/(dashboard)/sources/[sourceId]/edit-source-dialog";
import { FEED_COLUMNS } from "@/app/(dashboard)/sources/[sourceId]/feed-columns";
import { Button, IconButton } from "@/components/button";
import { DataTable } from "@/components/data-table";
import { EmptyState } from "@/components/empty-state";
import { Menu, MenuDivider, MenuItem } from "@/components/menu";
import { Notice } from "@/components/notice";
import { countOf } from "@/components/numbers";
import { PageHeader } from "@/components/page-header";
import { Pager } from "@/components/pager";
import { ShortId } from "@/components/short-id";
import { PanelSkeleton, TableSkeleton } from "@/components/skeleton";
import { useTRPC } from "@/trpc/client";

/** A source: its feeds and what can be done with all of them. */
export function SourceView({ sourceId }: { sourceId: string }) {
  const trpc = useTRPC();
  const viewer = useViewer();
  const router = useRouter();
  const actions = useSourceActions();
  const sort = useSort();
  const [open, setOpen] = useState<"add" | "edit" | "delete" | null>(null);
  const [after, setAfter] = useQueryState("after", parseAsString);

  const feeds = useQuery(
    trpc.feeds.list.queryOptions(
      { sourceId, limit: 100, ...(after && { after }) },
      {
        refetchInterval: ({ state }) =>
          state.data?.items.some((feed) => feed.activeRunId) ? LIVE_MS : CALM_MS,
        placeholderData: keepPreviousData,
      },
    ),
  );
  const query = useQuery(trpc.sources.get.queryOptions({ sourceId }, { refetchInterval: CALM_MS }));
  const source = query.data;
  if (!source) {
    return query.isError ? (
      <CallError
        error={query.error}
        what="The source could not be read"
        onRetry={() => void query.refetch()}
      />
    ) : (
      <PanelSkeleton />
    );
  }
  const isWritable = viewer.canWrite && source.status !== "deleting";
  const isPulled = source.type !== "api";
  const close = (isOpen: boolean) => !isOpen && setOpen(null);

  return (
    <>
      <PageHeader
        title={source.name}
        crumbs={[{ label: "Sources", href: "/sources" }]}
        meta={
          <>
            <StatusBadge status={source.status} />
            <ShortId id={source.id} label="source id" />
            <span>{source.type}</span>
            <span className="tabular-nums">
              {countOf(source.feedCount, "feed")}, {countOf(source.documentCount, "document")}
            </span>
          </>
        }
        actions={
          isWritable && (
            <>
              {source.status === "paused" ? (
                <Button
                  variant="primary"
                  icon={<Play aria-hidden size={14} />}
                  disabled={actions.isPending}
                  onClick={() => void actions.run("resume", [source])}
                >
                  Resume
                </Button>
              ) : isPulled ? (
                <Button
                  variant="primary"
                  icon={<RefreshCw aria-hidden size={14} />}
                  disabled={actions.isPending || source.feedCount === 0}
                  onClick={() => void actions.run("sync", [source])}
                >
                  Sync now
                </Button>
              ) : null}
              <Menu
                trigger={
                  <IconButton label="More acts on this source">
                    <Ellipsis aria-hidden size={16} />
                  </IconButton>
                }
              >
                <MenuItem icon={<Pencil aria-hidden size={14} />} onSelect={() => setOpen("edit")}>
                  Edit…
                </MenuItem>
                {source.status !== "paused" && (
                  <MenuItem
                    icon={<Pause aria-hidden size={14} />}
                    onSelect={() => void actions.run("pause", [source])}
                  >
                    Pause
                  </MenuItem>
                )}
                <MenuDivider />
                <MenuItem
                  tone="bad"
                  icon={<Trash2 aria-hidden size={14} />}
                  onSelect={() => setOpen("delete")}
                >
                  Delete…
                </MenuItem>
              </Menu>
            </>
          )
        }
      />
      <StaleMark query={query} />
      {source.status === "needs_reconnect" && (
        <div className="mb-4">
          <Notice
            tone="warn"
            title="The site refuses to be read without other credentials"
            action={
              isWritable && (
                <Button size="sm" onClick={() => setOpen("edit")}>
                  Enter credentials…
                </Button>
              )
            }
          >
            <p className="text-ink-muted">
              What was synced before stays. Syncing goes on once new ones are saved.
            </p>
          </Notice>
        </div>
      )}
      <div className="mb-2 flex items-center justify-between gap-3">
        <h2 className="text-lg font-semibold">
          <Explain term="feed">Feeds</Explain>
        </h2>
        {isWritable && (
          <Button size="sm" icon={<Plus aria-hidden size={14} />} onClick={() => setOpen("add")}>
            Add feed
          </Button>
        )}
      </div>
      {feeds.isPending && <TableSkeleton rows={4} columns={5} />}
      {feeds.isError && !feeds.data && (
        <CallError
          error={feeds.error}
          what="The feeds could not be read"
          onRetry={() => void feeds.refetch()}
        />
      )}
      {feeds.data?.items.length === 0 && (
        <EmptyState title="No feed yet">
          {isPulled
            ? "A source without a feed brings nothing. Add one by its address."
            : "Programs push to a feed. Add one to get its id."}
        </EmptyState>
      )}
      {feeds.data && feeds.data.items.length > 0 && (
        <DataTable
          caption="Feeds"
          columns={FEED_COLUMNS}
          rows={feeds.data.items}
          sort={feeds.data.nextAfter || after ? undefined : sort}
          rowKey={(feed) => feed.id}
          rowLabel={(feed) => feed.displayName}
          rowHref={(feed) => `/feeds/${feed.id}`}
        />
      )}
      <Pager
        after={after}
        nextAfter={feeds.data?.nextAfter ?? null}
        onChange={(next) => void setAfter(next, { history: "push" })}
        older="More feeds"
        newest="From the first"
      />
      {open === "add" && <AddFeedDialog source={source} onOpenChange={close} />}
      {open === "edit" && <EditSourceDialog source={source} onOpenChange={close} />}
      <DeleteSourceDialog
        source={open === "delete" ? source : null}
        onClose={() => setOpen(null)}
        onDeleted={() => {
          toast(`Deleted ${source.name}`);
          router.push("/sources");
        }}
      />
    </>
  );
}
