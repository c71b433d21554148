"use client";

import { useMutation } from "@tanstack/react-query";
import { CallError } from "@/app/_shared/call-error";
import type { Source } from "@/app/(dashboard)/_lib/types";
import { useRefresh } from "@/app/(dashboard)/_lib/use-refresh";
import { ConfirmDialog } from "@/components/confirm-dialog";
import { countOf } from "@/components/numbers";
import { useTRPC } from "@/trpc/client";

export function DeleteSourceDialog({
  source,
  onClose,
  onDeleted,
}: {
  /** Null while nothing is asked. */
  source: Pick<Source, "id" | "name" | "feedCount" | "documentCount"> | null;
  onClose(): void;
  onDeleted?(): void;
}) {
  const trpc = useTRPC();
  const refresh = useRefresh();
  const remove = useMutation(
    trpc.sources.delete.mutationOptions({
      async onSuccess() {
        // Whoever leaves the page has closed the dialog by that.
        if (onDeleted) onDeleted();
        else onClose();
        await refresh();
      },
    }),
  );
  return (
    <ConfirmDialog
      open={source !== null}
      onOpenChange={(open) => {
        if (open) return;
        remove.reset();
        onClose();
      }}
      title={`Delete ${source?.name ?? ""}?`}
      effect={
        source && (
          <p>
            Deletes {countOf(source.feedCount, "feed")} and {countOf(source.documentCount, "document")} here
            and in every client that follows the change feed. Saved credentials go too. This cannot be undone.
          </p>
        )
      }
      typeName={source?.name ?? ""}
      actionLabel={`Delete ${countOf(source?.documentCount ?? 0, "document")}`}
      pendingLabel="Deleting"
      isPending={remove.isPending}
      error={<CallError error={remove.error} what="Nothing was deleted" />}
      onConfirm={() => source && remove.mutate({ sourceId: source.id })}
    />
  );
}
