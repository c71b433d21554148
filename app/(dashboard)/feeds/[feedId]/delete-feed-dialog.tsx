"use client";

import { useMutation } from "@tanstack/react-query";
import { CallError } from "@/app/_shared/call-error";
import type { Feed } from "@/app/(dashboard)/_lib/types";
import { useRefresh } from "@/app/(dashboard)/_lib/use-refresh";
import { ConfirmDialog } from "@/components/confirm-dialog";
import { countOf } from "@/components/numbers";
import { useTRPC } from "@/trpc/client";

export function DeleteFeedDialog({
  feed,
  open,
  onOpenChange,
  onDeleted,
}: {
  feed: Pick<Feed, "id" | "displayName" | "documentCount">;
  open: boolean;
  onOpenChange(open: boolean): void;
  onDeleted(): void;
}) {
  const trpc = useTRPC();
  const refresh = useRefresh();
  const remove = useMutation(
    trpc.feeds.delete.mutationOptions({
      async onSuccess() {
        // Leaving the page closes the dialog; closing it in the URL besides would undo the leaving.
        onDeleted();
        await refresh();
      },
    }),
  );
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onOpenChange}
      title={`Delete ${feed.displayName}?`}
      effect={
        <p>
          Deletes {countOf(feed.documentCount, "document")} here and in every client that follows the change
          feed. The cursor is forgotten. This cannot be undone.
        </p>
      }
      typeName={feed.displayName}
      actionLabel={`Delete ${countOf(feed.documentCount, "document")}`}
      pendingLabel="Deleting"
      isPending={remove.isPending}
      error={<CallError error={remove.error} what="Nothing was deleted" />}
      onConfirm={() => remove.mutate({ feedId: feed.id })}
    />
  );
}
