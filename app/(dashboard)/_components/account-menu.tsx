"use client";

import { LogOut, MonitorX, UserRound } from "lucide-react";
import { useState, useTransition } from "react";
import { signOutEverywhere } from "@/app/(dashboard)/_lib/sign-out-everywhere";
import { useViewer } from "@/app/(dashboard)/_lib/viewer";
import { IconButton } from "@/components/button";
import { ConfirmDialog } from "@/components/confirm-dialog";
import { Menu, MenuDivider, MenuItem, MenuLabel } from "@/components/menu";
import { Notice } from "@/components/notice";

/** Fetched when someone leaves: no page needs it before. */
async function leave(): Promise<void> {
  const { signOut } = await import("next-auth/react");
  await signOut({ callbackUrl: "/sign-in" });
}

/** Who is signed in, and the ways out. */
export function AccountMenu() {
  const viewer = useViewer();
  const [asking, setAsking] = useState(false);
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
    <>
      <Menu
        trigger={
          <IconButton label={`Account of ${viewer.name}`}>
            <UserRound aria-hidden size={16} />
          </IconButton>
        }
      >
        <MenuLabel>
          <span className="block max-w-56 truncate text-sm font-medium text-ink">{viewer.name}</span>
          <span className="block max-w-56 truncate">{viewer.email}</span>
          <span className="block">
            {viewer.role} of {viewer.workspaceName}
          </span>
        </MenuLabel>
        <MenuDivider />
        <MenuItem icon={<LogOut aria-hidden size={15} />} onSelect={() => void leave()}>
          Sign out
        </MenuItem>
        <MenuItem icon={<MonitorX aria-hidden size={15} />} onSelect={() => setAsking(true)}>
          Sign out everywhere…
        </MenuItem>
      </Menu>
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
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
    </>
  );
}
