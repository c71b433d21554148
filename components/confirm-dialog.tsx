"use client";

import { type ReactNode, useState } from "react";
import { Button } from "@/components/button";
import { Dialog, FormActions } from "@/components/dialog";
import { Field, Input } from "@/components/field";

/**
 * A question before a destructive act: its exact effect, and the thing's name to type where the act
 * cannot be undone. The button names the act ("Delete Harbour news"), never "OK".
 */
export function ConfirmDialog({
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
}: {
  open: boolean;
  onOpenChange(open: boolean): void;
  title: string;
  effect: ReactNode;
  actionLabel: string;
  pendingLabel: string;
  isPending: boolean;
  /** The name that must be typed; absent where the act can be undone. */
  typeName?: string;
  error?: ReactNode;
  onConfirm(): void;
}) {
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
        <FormActions>
          <Button type="submit" variant="danger" disabled={!isNamed} pendingLabel={isPending && pendingLabel}>
            {actionLabel}
          </Button>
          <Button variant="ghost" onClick={() => onOpenChange(false)}>
            Cancel
          </Button>
        </FormActions>
      </form>
    </Dialog>
  );
}
