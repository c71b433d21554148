"use client";

import { useState, useTransition } from "react";
import { leave } from "@/app/(dashboard)/_lib/leave";
import { signOutEverywhere } from "@/app/(dashboard)/_lib/sign-out-everywhere";
import { useViewer } from "@/app/(dashboard)/_lib/viewer";
import { ConfirmDialog } from "@/components/confirm-dialog";
import { Notice } from "@/components/notice";

export function SignOutEverywhereDialog({
  open,
  onOpenChange,
}: {
  open: boolean;
  onOpenChange(open: boolean): void;
}) {
  const viewer = useViewer();
  const [failed, setFailed] = useState(false);
  const [isPending, startTransition] = useTransition();

  function leaveEverywhere() {
    setFailed(false);
    startTransition(async () => {
      try {
        await signOutEverywhere();
        await leave();
      } catch {
        setFailed(true);
      }
    });
  }

  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onOpenChange}
      title="Sign out everywhere?"
      effect={
        <p>
          Ends every session of {viewer.email}, on this and all other devices, with their next request. API
          tokens go on working.
        </p>
      }
      actionLabel="Sign out everywhere"
      pendingLabel="Signing out"
      isPending={isPending}
      error={
        failed && (
          <Notice
            tone="bad"
            announce
            title="The server could not be reached. You are still signed in; try again."
          />
        )
      }
      onConfirm={leaveEverywhere}
    />
  );
}
