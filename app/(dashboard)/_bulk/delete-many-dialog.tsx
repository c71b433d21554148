"use client";

import { ConfirmDialog } from "@/components/confirm-dialog";
import { countOf } from "@/components/numbers";

/** Before many things go for good: how many, with how much in them. */
export function DeleteManyDialog({
  open,
  onOpenChange,
  noun,
  chosen,
  onConfirm,
}: {
  open: boolean;
  onOpenChange(open: boolean): void;
  noun: string;
  chosen: readonly { documentCount: number }[];
  onConfirm(): void;
}) {
  const things = countOf(chosen.length, noun);
  const documents = chosen.reduce((sum, item) => sum + item.documentCount, 0);
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onOpenChange}
      title={`Delete ${things}?`}
      effect={
        <p>
          Deletes {things} and {countOf(documents, "document")} here and in every client that follows the
          change feed. Their cursors are forgotten. This cannot be undone.
        </p>
      }
      typeName={`delete ${things}`}
      actionLabel={`Delete ${things}`}
      pendingLabel="Deleting"
      isPending={false}
      onConfirm={() => {
        onOpenChange(false);
        onConfirm();
      }}
    />
  );
}
