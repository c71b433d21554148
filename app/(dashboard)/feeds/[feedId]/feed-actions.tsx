"use client";

import { useMutation } from "@tanstack/react-query";
import { Ellipsis, History, Link2, Pause, Pencil, Play, RefreshCw, Trash2 } from "lucide-react";
import dynamic from "next/dynamic";
import { useRouter } from "next/navigation";
import { toastError } from "@/app/(dashboard)/_lib/toast-error";
import type { Feed } from "@/app/(dashboard)/_lib/types";
import { useRefresh } from "@/app/(dashboard)/_lib/use-refresh";
import { useViewer } from "@/app/(dashboard)/_lib/viewer";
import { useFeedDialog } from "@/app/(dashboard)/feeds/[feedId]/use-feed-dialog";
import { Button, IconButton } from "@/components/button";
import { Menu, MenuDivider, MenuItem } from "@/components/menu";
import { toast } from "@/components/toast";
import { useTRPC } from "@/trpc/client";

// Questions are fetched when they are asked.
const EditFeedDialog = dynamic(() =>
  import("@/app/(dashboard)/feeds/[feedId]/edit-feed-dialog").then((module) => module.EditFeedDialog),
);
const MoveFeedDialog = dynamic(() =>
  import("@/app/(dashboard)/feeds/[feedId]/move-feed-dialog").then((module) => module.MoveFeedDialog),
);
const ResetCursorDialog = dynamic(() =>
  import("@/app/(dashboard)/feeds/[feedId]/reset-cursor-dialog").then((module) => module.ResetCursorDialog),
);
const DeleteFeedDialog = dynamic(() =>
  import("@/app/(dashboard)/feeds/[feedId]/delete-feed-dialog").then((module) => module.DeleteFeedDialog),
);

/** The primary act beside the title, the rest in a menu. Nothing for people who only read. */
export function FeedActions({ feed }: { feed: Feed }) {
  const trpc = useTRPC();
  const viewer = useViewer();
  const router = useRouter();
  const refresh = useRefresh();
  const [{ open, to }, setOpen] = useFeedDialog();
  const sync = useMutation(
    trpc.feeds.sync.mutationOptions({
      onSuccess: refresh,
      onError: (error) => toastError(error, "Sync did not start"),
    }),
  );
  const resume = useMutation(
    trpc.feeds.resume.mutationOptions({
      onSuccess: refresh,
      onError: (error) => toastError(error, "Not resumed"),
    }),
  );
  const pause = useMutation(
    trpc.feeds.pause.mutationOptions({
      async onSuccess() {
        toast.plain(`Paused: ${feed.displayName}`, {
          action: { label: "Undo", onClick: () => resume.mutate({ feedId: feed.id }) },
        });
        await refresh();
      },
      onError: (error) => toastError(error, "Not paused"),
    }),
  );
  if (!viewer.canWrite || feed.status === "deleting") return null;

  const isPulled = feed.sourceType !== "api" && feed.runsOn === "cloud";
  // Programs that push find their feed by its key.
  const canMove = feed.sourceType !== "api" && feed.runsOn !== "api";
  const isStopped = feed.status === "paused" || feed.status === "disabled";
  const close = (isOpen: boolean) => !isOpen && setOpen(null);
  return (
    <>
      {isStopped && feed.pausedBy !== "source" ? (
        <Button
          variant="primary"
          icon={<Play aria-hidden size={14} />}
          pendingLabel={resume.isPending && "Resuming"}
          onClick={() => resume.mutate({ feedId: feed.id })}
        >
          Resume
        </Button>
      ) : (
        <>
          {!isStopped && (
            <Button
              icon={<Pause aria-hidden size={14} />}
              pendingLabel={pause.isPending && "Pausing"}
              onClick={() => pause.mutate({ feedId: feed.id })}
            >
              Pause
            </Button>
          )}
          {isPulled && !isStopped && (
            <Button
              variant="primary"
              icon={<RefreshCw aria-hidden size={14} />}
              pendingLabel={(sync.isPending && "Starting") || (feed.activeRunId !== null && "Syncing")}
              onClick={() => sync.mutate({ feedId: feed.id })}
            >
              Sync now
            </Button>
          )}
        </>
      )}
      <Menu
        trigger={
          <IconButton label="More acts on this feed">
            <Ellipsis aria-hidden size={16} />
          </IconButton>
        }
      >
        <MenuItem icon={<Pencil aria-hidden size={14} />} onSelect={() => setOpen("edit")}>
          Edit…
        </MenuItem>
        {canMove && (
          <MenuItem icon={<Link2 aria-hidden size={14} />} onSelect={() => setOpen("move")}>
            Change address…
          </MenuItem>
        )}
        {feed.watermark !== "none" && (
          <MenuItem icon={<History aria-hidden size={14} />} onSelect={() => setOpen("reset")}>
            Reset cursor…
          </MenuItem>
        )}
        <MenuDivider />
        <MenuItem tone="bad" icon={<Trash2 aria-hidden size={14} />} onSelect={() => setOpen("delete")}>
          Delete…
        </MenuItem>
      </Menu>
      {open === "edit" && <EditFeedDialog feed={feed} onOpenChange={close} />}
      {open === "move" && canMove && <MoveFeedDialog feed={feed} onOpenChange={close} />}
      {open === "reset" && <ResetCursorDialog feed={feed} initialTo={to ?? ""} onOpenChange={close} />}
      {open === "delete" && (
        <DeleteFeedDialog
          feed={feed}
          open
          onOpenChange={close}
          onDeleted={() => {
            toast.plain(`Deleted ${feed.displayName}`);
            router.push(`/sources/${feed.sourceId}`);
          }}
        />
      )}
    </>
  );
}
