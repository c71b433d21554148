"use client";

import { useState } from "react";
import { Button } from "@/components/button";
import type { ConfirmDialogProps } from "@/components/confirm-dialog";
import { Dialog, DialogActions } from "@/components/dialog";
import { Field, Input } from "@/components/field";

/** What is asked, in front of the page; components/confirm-dialog.tsx fetches it when it is. */
export function Question({
  open,
  onOpenChange,
  title,
  effect,
  actionLabel,
  pendingLabel,
  isPending,
  typeName,
  error,
  onConfirm,
}: ConfirmDialogProps) {
  const [typed, setTyped] = useState("");
  const isNamed = typeName === undefined || typed.trim() === typeName.trim();
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => {
        setTyped("");
        onOpenChange(next);
      }}
      title={title}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (isNamed && !isPending) onConfirm();
        }}
      >
        <div className="space-y-3 text-sm">
          {effect}
          {typeName !== undefined && (
            <Field label={`Type “${typeName}” to go on`}>
              <Input
                value={typed}
                onChange={(event) => setTyped(event.target.value)}
                autoComplete="off"
                autoFocus
              />
            </Field>
          )}
          {error}
        </div>
        <DialogActions>
          <Button type="submit" variant="danger" disabled={!isNamed} pendingLabel={isPending && pendingLabel}>
            {actionLabel}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
