"use client";

import { useQuery } from "@tanstack/react-query";
import { Ellipsis, Pause, Pencil, Play, Plus, Radar, RefreshCw, Trash2 } from "lucide-react";
import dynamic from "next/dynamic";
import { useRouter } from "next/navigation";
import { parseAsStringLiteral, useQueryState } from "nuqs";
import { CallError } from "@/app/_shared/call-error";
import { DeleteSourceDialog } from "@/app/(dashboard)/_components/delete-source-dialog";
import { Explain } from "@/app/(dashboard)/_components/explain";
import { StaleMark } from "@/app/(dashboard)/_components/stale-mark";
import { StatusBadge } from "@/app/(dashboard)/_components/status-badge";
import { FeedTable } from "@/app/(dashboard)/_feeds/feed-table";
import { CALM_MS } from "@/app/(dashboard)/_lib/polling";
import { useSourceActions } from "@/app/(dashboard)/_lib/use-source-actions";
import { useTypeWords } from "@/app/(dashboard)/_lib/use-type-words";
import { useViewer } from "@/app/(dashboard)/_lib/viewer";
import { NewFeeds } from "@/app/(dashboard)/sources/[sourceId]/new-feeds";
import { useLookForFeeds } from "@/app/(dashboard)/sources/[sourceId]/use-look-for-feeds";
import { Button, IconButton } from "@/components/button";
import { EmptyState } from "@/components/empty-state";
import { Menu, MenuDivider, MenuItem } from "@/components/menu";
import { Notice } from "@/components/notice";
import { countOf } from "@/components/numbers";
import { PageHeader } from "@/components/page-header";
import { ShortId } from "@/components/short-id";
import { PanelSkeleton } from "@/components/skeleton";
import { toast } from "@/components/toast";
import { useTRPC } from "@/trpc/client";
import { usePolling } from "@/trpc/use-live";

// Questions are fetched when they are asked.
const AddFeedDialog = dynamic(() =>
  import("@/app/(dashboard)/sources/[sourceId]/add-feed-dialog").then((module) => module.AddFeedDialog),
);
const EditSourceDialog = dynamic(() =>
  import("@/app/(dashboard)/sources/[sourceId]/edit-source-dialog").then((module) => module.EditSourceDialog),
);

/** A source: its feeds and what can be done with all of them. */
export function SourceView({ sourceId }: { sourceId: string }) {
  const trpc = useTRPC();
  const viewer = useViewer();
  const router = useRouter();
  const actions = useSourceActions();
  const typeWords = useTypeWords();
  const lookout = useLookForFeeds(sourceId);
  const poll = usePolling();
  // In the URL, so that a link can lead right to the question.
  const [open, setOpen] = useQueryState("open", parseAsStringLiteral(["add", "edit", "delete"]));

  const query = useQuery(
    trpc.sources.get.queryOptions({ sourceId }, { refetchInterval: () => poll(CALM_MS) }),
  );
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
  const close = (isOpen: boolean) => !isOpen && void setOpen(null);

  return (
    <>
      <PageHeader
        title={source.name}
        crumbs={[{ label: "Sources", href: "/sources" }]}
        meta={
          <>
            <StatusBadge status={source.status} />
            <ShortId id={source.id} label="source id" />
            <span>{typeWords(source.type)}</span>
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
                  onClick={() => void actions.run("resume", source)}
                >
                  Resume
                </Button>
              ) : isPulled ? (
                <Button
                  variant="primary"
                  icon={<RefreshCw aria-hidden size={14} />}
                  disabled={actions.isPending || source.feedCount === 0}
                  onClick={() => void actions.run("sync", source)}
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
                <MenuItem icon={<Pencil aria-hidden size={14} />} onSelect={() => void setOpen("edit")}>
                  Edit…
                </MenuItem>
                {source.newFeeds.isReady && source.status !== "paused" && (
                  <MenuItem icon={<Radar aria-hidden size={14} />} onSelect={lookout.look}>
                    Look for new feeds now
                  </MenuItem>
                )}
                {source.status !== "paused" && (
                  <MenuItem
                    icon={<Pause aria-hidden size={14} />}
                    onSelect={() => void actions.run("pause", source)}
                  >
                    Pause
                  </MenuItem>
                )}
                <MenuDivider />
                <MenuItem
                  tone="bad"
                  icon={<Trash2 aria-hidden size={14} />}
                  onSelect={() => void setOpen("delete")}
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
                <Button size="sm" onClick={() => void setOpen("edit")}>
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
      {source.newFeeds.isOn && (
        <div className="mb-4">
          <NewFeeds
            source={source}
            action={
              isWritable &&
              source.status !== "paused" && (
                <Button
                  size="sm"
                  pendingLabel={(lookout.isLooking || source.newFeeds.isLooking) && "Looking"}
                  onClick={lookout.look}
                >
                  Look now
                </Button>
              )
            }
          />
        </div>
      )}
      <div className="mb-2 flex items-center justify-between gap-3">
        <h2 className="text-lg font-semibold">
          <Explain term="feed">Feeds</Explain>
        </h2>
        {isWritable && (
          <Button size="sm" icon={<Plus aria-hidden size={14} />} onClick={() => void setOpen("add")}>
            Add feed
          </Button>
        )}
      </div>
      <FeedTable
        sourceId={source.id}
        empty={
          <EmptyState title="No feed yet">
            {isPulled
              ? "A source without a feed brings nothing. Add one by its address."
              : "Programs push to a feed. Add one to get its id."}
          </EmptyState>
        }
      />
      {isWritable && open === "add" && <AddFeedDialog source={source} onOpenChange={close} />}
      {isWritable && open === "edit" && <EditSourceDialog source={source} onOpenChange={close} />}
      <DeleteSourceDialog
        source={isWritable && open === "delete" ? source : null}
        onClose={() => void setOpen(null)}
        onDeleted={() => {
          toast.plain(`Deleted ${source.name}`);
          router.push("/sources");
        }}
      />
    </>
  );
}
